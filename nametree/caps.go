package nametree

// The caps of this package. How deep objects nest, and how long a chain of
// references may be, is bounded by package object.

// A Budget limits one reading of a tree. Next to each limit stands the defect that reports
// the excess.
type Budget struct {
	Kids    int   // TooManyNodes: elements of all Kids arrays
	Pairs   int   // TooManyEntries: pairs of all Names arrays
	Bytes   int64 // TooLarge: bytes of nodes and keys, each counted as often as it is referred to
	Defects int   // TooManyDefects
}

// options are the caps of one reading; tests lower them, and [ReadWithin] those of
// the Budget.
type options struct {
	Budget
	depth    int // TooDeep: levels of nodes
	hugeLeaf int // HugeLeaf: pairs of one leaf, all of which are read
	longest  int // TooLarge: bytes of one key, or of one string of Limits, as it is stored
	perKind  int // defects of each kind that are kept if there are too many
}

// The most that one reading may take, whatever the caller of ReadWithin knows of the file.
var most = Budget{
	// A node for every fifth of 10^7 entries; in leaves of 64 these have 160,000.
	Kids: 1 << 21,

	// Ten times the largest trees of the benchmarks. So many entries take 320 MB,
	// not counting their keys.
	Pairs: 10_000_000,

	// 100 bytes for each of 10^7 entries. A file that shares one array between many
	// nodes comes here early.
	Bytes: 1 << 30,

	// As many defects take 240 MB, not counting the values that they quote.
	Defects: 10_000_000,
}

// The caps of one reading.
var caps = options{
	Budget: most, // or less, see ReadWithin

	// Twice the depth that PDFium follows. A tree of 10^7 entries in leaves of 64
	// has 4 levels.
	depth: 64,

	// Sixteen times what a leaf gets here.
	hugeLeaf: 16 * fanOut,

	// Of a key there are several copies while it is read, compared and printed. Real keys have hundreds of bytes.
	longest: 16 << 20,

	// What people may want to look at, and enough to see what the rest is like.
	perKind: 1000,
}

// fanOut is how many pairs a leaf, and how many kids an intermediate node, has
// at most if Write makes it anew. A change of one entry then writes few bytes, and
// 10^6 entries need 4 levels.
const fanOut = 64
