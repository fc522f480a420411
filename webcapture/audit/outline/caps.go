package outline

// Limits of this package, each with its reason. Omitted parts are counted.

// Limits of an Outline, which is drawn for people. Beyond these limits, webcap only counts, and does not read more of
// the file.
const (
	MaxOutlineNodes   = 256 // nodes of a tree
	maxOutlinePairs   = 16  // pairs of a node
	MaxOutlineSets    = 256
	MaxOutlineMembers = 32                  // members of a content set
	MaxOutlineURLs    = 16                  // URLs of a content set
	maxOutlineValues  = 16 * MaxOutlineSets // values that are searched for new content sets
	maxOutlineRead    = 64 << 20            // bytes of objects read
)

// Limits of the pictures in an Outline, which results and pages contain.
const (
	MaxPicture        = 128 << 10 // bytes of one picture: most photographs of pages are smaller
	maxPictures       = 2 << 20   // bytes of all pictures of a file: a browser opens such a page quickly
	maxPictureSamples = 4 << 20   // bytes of samples of an image to be reduced: takes milliseconds
	maxPictureSide    = 128       // side of a reduced picture in pixels: a thumbnail on a sharp screen
)
