package nametree

// The caps of this package. How deep objects nest, and how long a chain of
// references may be, is bounded by package object.

// options are the caps of one reading; tests and [ReadWithin] lower them. A cap
// that is hit is the defect that is named beside it.
type options struct {
	depth    int   // TooDeep: levels of nodes
	kids     int   // TooManyNodes: elements of all Kids arrays
	pairs    int   // TooManyEntries: pairs of all Names arrays
	bytes    int64 // TooLarge: bytes of nodes and keys, each counted as often as it is referred to
	defects  int   // TooManyDefects
	hugeLeaf int   // HugeLeaf: pairs of one leaf, all of which are read
}

var caps = options{
	// Twice the depth that PDFium follows. A tree of 10^7 entries in leaves of 64
	// has 4 levels.
	depth: 64,

	// A node for every fifth of 10^7 entries; in leaves of 64 these have 160,000.
	kids: 1 << 21,

	// Ten times the largest trees of the benchmarks. So many entries take 360 MB,
	// not counting their keys.
	pairs: 10_000_000,

	// 100 bytes for each of 10^7 entries. A file that shares one array between many
	// nodes comes here early.
	bytes: 1 << 30,

	// As many defects take 36 MB, not counting the values that they quote.
	defects: 1 << 18,

	// Sixteen times what a leaf gets here.
	hugeLeaf: 16 * fanOut,
}

// fanOut is how many pairs a leaf, and how many kids an intermediate node, has
// at most if Write makes it anew. A change of one entry then writes few bytes, and
// 10^6 entries need 4 levels.
const fanOut = 64
