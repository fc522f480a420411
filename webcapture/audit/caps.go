package audit

// The caps of this package, each with its reason. What a cap leaves out is counted or
// named in the Report.

// What takes how much of the budget of an audit, of which [webcapture.Budget] has the
// unit; see engine_budget.go.
const (
	elementCost = 64  // an element of an array value
	urlCost     = 512 // a URL of a set; some bytes of it a byte
	findingCost = 256 // a finding: its message is made and kept
)

// maxOfRule is how many findings of each rule are kept if there are too many: what people
// may want to look at, and enough to see what the rest is like.
const maxOfRule = 1000

// The caps of an Outline, which is drawn for people: what nobody would look through
// is counted instead, and the file is not read further for its sake.
const (
	maxOutlineNodes   = 256 // of a tree
	maxOutlinePairs   = 16  // of a node
	maxOutlineSets    = 256
	maxOutlineMembers = 32                  // of a set
	maxOutlineURLs    = 16                  // of a set
	maxOutlineValues  = 16 * maxOutlineSets // values that are looked into for sets that are new
	maxOutlineRead    = 64 << 20            // bytes of objects
)

// The caps of pictures of an Outline, which stand in results and in pages that draw them.
const (
	maxPicture        = 128 << 10 // bytes of one: most photographs of pages are smaller
	maxPictures       = 2 << 20   // bytes of those of a file: a browser opens such a page at once
	maxPictureSamples = 4 << 20   // bytes of samples of an image that is made smaller: milliseconds
	maxPictureSide    = 128       // pixels of what is made smaller: what a thumbnail shows on a sharp screen
)

// maxSubjects is of how many findings of each rule it is said what they are about, and where: reports list
// as many at most, where people look at them.
const maxSubjects = 20

// maxShown is how many bytes of a key a message shows at most: a key may be as long
// as a file, and have many findings.
const maxShown = 512

// maxSame is how many entries with one key are looked at: a duplicate key is an error
// by itself, and sets that all have it would look at all of them, each.
const maxSame = 16

// maxEmbedded is how many embedded files are looked at: their names are kept, to be
// found by URL.
const maxEmbedded = 1 << 20

// maxPosted is how many bytes of the data that a command posts are looked at for
// passwords.
const maxPosted = 1 << 20

// packedRows is how many bytes of Entries are packed at a time: enough to pack them well, and
// few beside those of a file that has many.
const packedRows = 256 << 10

// maxListedURL is how long a URL of a set is that Entries have: thousands of entries may
// lead to one set, and each has its URL.
const maxListedURL = 8 << 10
