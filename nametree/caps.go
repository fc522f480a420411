package nametree

// options are the caps of a reading. Each one is a defect if it is hit.
type options struct {
	depth    int   // TooDeep
	kids     int   // TooManyNodes: elements of all Kids arrays
	pairs    int   // TooManyEntries
	bytes    int64 // TooLarge
	defects  int   // TooManyDefects
	hugeLeaf int   // HugeLeaf: pairs of one leaf
}

// A tree of 10^7 entries in leaves of 64 has 5 levels and 160,000 nodes. Twice
// the depth that PDFium follows, and a node for each of 2^21 entries, are
// beyond what any writer makes. A gigabyte is 100 bytes for each of 10^7
// entries; what shares one array between many nodes hits it early.
var caps = options{
	depth:    64,
	kids:     1 << 21,
	pairs:    10_000_000,
	bytes:    1 << 30,
	defects:  1 << 18,
	hugeLeaf: 1 << 10,
}

// maxHops bounds a chain of references to references.
const maxHops = 16

// fanOut is how many pairs a leaf, and how many kids an intermediate node, has
// at most if it is made anew.
const fanOut = 64
