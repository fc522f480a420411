package outline

// The caps of this package, each with its reason. What a cap leaves out is counted.

// The caps of an Outline, which is drawn for people. Beyond them, webcap counts the rest, and does not read
// the file further.
const (
	MaxOutlineNodes   = 256 // of a tree
	maxOutlinePairs   = 16  // of a node
	MaxOutlineSets    = 256
	MaxOutlineMembers = 32                  // of a set
	MaxOutlineURLs    = 16                  // of a set
	maxOutlineValues  = 16 * MaxOutlineSets // values that are looked into for sets that are new
	maxOutlineRead    = 64 << 20            // bytes of objects
)

// The caps of pictures of an Outline, which stand in results and in pages that draw them.
const (
	MaxPicture        = 128 << 10 // bytes of one: most photographs of pages are smaller
	maxPictures       = 2 << 20   // bytes of those of a file: a browser opens such a page at once
	maxPictureSamples = 4 << 20   // bytes of samples of an image that is made smaller: milliseconds
	maxPictureSide    = 128       // pixels of what is made smaller: what a thumbnail shows on a sharp screen
)
