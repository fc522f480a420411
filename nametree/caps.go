package nametree

// The limits of this package, in addition to what the caller may keep. Package object limits the nesting of objects and
// the length of chains of references.
const (
	// fanOut is the maximum number of pairs in a new leaf and of kids in a new intermediate node. With this size, a
	// change of one entry writes few bytes, and 10^6 entries need 4 levels.
	fanOut = 64

	// hugeLeaf is the number of pairs beyond which a leaf is a HugeLeaf. All of its pairs are read.
	hugeLeaf = 16 * fanOut

	// maxDepth is the number of levels of nodes that are read and written: twice the depth that PDFium follows. A tree
	// of 10^7 entries in leaves of 64 entries has 4 levels.
	maxDepth = 64

	// maxSought is the number of bytes of a stored key beyond which Lookup ends. A viewer's keys are URLs and IDs.
	maxSought = 1 << 20
)
