package audit

// The caps of an Outline. What lies beyond is counted, and the file is not read
// further for its sake.
const (
	maxOutlineNodes   = 256 // of a tree
	maxOutlinePairs   = 16  // of a node
	maxOutlineSets    = 256
	maxOutlineMembers = 32 // of a set
	maxOutlineURLs    = 16 // of a set
	maxOutlineValues  = 16 * maxOutlineSets
	maxOutlineRead    = 64 << 20 // bytes of objects
)

// The budget of an audit, and what is taken from it; see spend. The unit is about the
// time that a byte takes to be parsed. An audit may take the base, and something for
// each entry of the trees and each byte of the file.
const (
	baseBudget  = 256 << 20
	entryBudget = 4 << 10 // for each entry of the trees; an honest one takes a tenth
	byteBudget  = 32      // for each byte of the file: object streams shrink pages and links to a tenth

	elementCost = 64  // an element of an array value
	urlCost     = 512 // a URL of a set; some bytes of it a byte
	findingCost = 256
)

// maxShown is how many bytes of a key a message shows at most.
const maxShown = 512

// maxSame bounds how many entries with one key are looked at; a duplicate key
// is an error by itself.
const maxSame = 16

// maxEmbedded is the number of embedded files that are looked at.
const maxEmbedded = 1 << 20
