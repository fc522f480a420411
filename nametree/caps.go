package nametree

// The limits of this package, in addition to what the caller may keep. Package object limits the nesting of objects and
// the length of chains of references.

// options are the limits of one reading. Tests lower them.
type options struct {
	depth    int // TooDeep: levels of nodes
	hugeLeaf int // HugeLeaf: pairs of one leaf; all of them are read
}

// caps are the default limits of one reading.
var caps = options{
	// Twice the depth that PDFium follows. A tree of 10^7 entries in leaves of 64 entries has 4 levels.
	depth: 64,

	// Sixteen times the size of a new leaf.
	hugeLeaf: 16 * fanOut,
}

// fanOut is the maximum number of pairs in a new leaf and of kids in a new intermediate node. With this size, a change
// of one entry writes few bytes, and 10^6 entries need 4 levels.
const fanOut = 64
