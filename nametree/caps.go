package nametree

// The limits of this package. Package object limits the nesting of objects and the length of chains of references.

// A Budget limits one reading of a tree. The comment of each limit names the defect that reports the excess.
type Budget struct {
	Kids    int   // TooManyNodes: elements of all Kids arrays
	Pairs   int   // TooManyEntries: pairs of all Names arrays
	Bytes   int64 // TooLarge: bytes of nodes and keys, counted once for each reference
	Defects int   // TooManyDefects
}

// options are the limits of one reading. Tests lower them. [ReadWithin] lowers only the limits of the Budget.
type options struct {
	Budget
	depth    int // TooDeep: levels of nodes
	hugeLeaf int // HugeLeaf: pairs of one leaf; all of them are read
	longest  int // TooLarge: stored bytes of one key, or of one string of Limits
	perKind  int // number of defects to keep of each kind if there are too many defects
}

// most is the largest Budget. ReadWithin reduces larger ones to it.
var most = Budget{
	// One node for every 5 of 10^7 entries. With leaves of 64 entries, 160,000 nodes are enough.
	Kids: 1 << 21,

	// Ten times the largest trees of the benchmarks. This number of entries takes 320 MB, not counting the keys.
	Pairs: 10_000_000,

	// 100 bytes for each of 10^7 entries. A file in which many nodes share one array reaches this limit early.
	Bytes: 1 << 30,

	// This number of defects takes 240 MB, not counting the values that they quote.
	Defects: 10_000_000,
}

// caps are the default limits of one reading.
var caps = options{
	Budget: most, // ReadWithin may lower it

	// Twice the depth that PDFium follows. A tree of 10^7 entries in leaves of 64 entries has 4 levels.
	depth: 64,

	// Sixteen times the size of a new leaf.
	hugeLeaf: 16 * fanOut,

	// Several copies of a key exist while it is read, compared, and printed. Real keys have hundreds of bytes.
	longest: 16 << 20,

	// More than a person reads, and enough to show a pattern.
	perKind: 1000,
}

// fanOut is the maximum number of pairs in a new leaf and of kids in a new intermediate node. With this size, a change
// of one entry writes few bytes, and 10^6 entries need 4 levels.
const fanOut = 64
