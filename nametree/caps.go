package nametree

// The caps of this package. Package object bounds the nesting of objects and the length of chains of references.

// A Budget limits one reading of a tree. The comment of each limit names the defect that reports the excess.
type Budget struct {
	Kids    int   // TooManyNodes: elements of all Kids arrays
	Pairs   int   // TooManyEntries: pairs of all Names arrays
	Bytes   int64 // TooLarge: bytes of nodes and keys, counted once for each reference
	Defects int   // TooManyDefects
}

// options are the caps of one reading. Tests lower them, and [ReadWithin] lowers those of the Budget.
type options struct {
	Budget
	depth    int // TooDeep: levels of nodes
	hugeLeaf int // HugeLeaf: pairs of one leaf; all of them are read
	longest  int // TooLarge: bytes of one key, or of one string of Limits, as it is stored
	perKind  int // number of defects kept of each kind if there are too many
}

// most is the upper limit of one reading, even if ReadWithin allows more.
var most = Budget{
	// A node for every fifth of 10^7 entries; in leaves of 64 these have 160,000.
	Kids: 1 << 21,

	// Ten times the largest trees of the benchmarks. So many entries take 320 MB,
	// not counting their keys.
	Pairs: 10_000_000,

	// 100 bytes for each of 10^7 entries. A file that shares one array between many
	// nodes comes here early.
	Bytes: 1 << 30,

	// As many defects take 240 MB, without the values that they quote.
	Defects: 10_000_000,
}

// The caps of one reading.
var caps = options{
	Budget: most, // or less, see ReadWithin

	// Twice the depth that PDFium follows. A tree of 10^7 entries in leaves of 64
	// has 4 levels.
	depth: 64,

	// Sixteen times the size of a new leaf.
	hugeLeaf: 16 * fanOut,

	// Several copies of a key exist while it is read, compared, and printed. Real keys have hundreds of bytes.
	longest: 16 << 20,

	// More than a person reads, and enough to see a pattern.
	perKind: 1000,
}

// fanOut is the maximum number of pairs of a new leaf and of kids of a new intermediate node. A change of one entry
// then writes few bytes, and 10^6 entries need 4 levels.
const fanOut = 64
