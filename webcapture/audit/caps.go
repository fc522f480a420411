package audit

// The caps of this package, each with its reason. What a cap leaves out is counted or
// named in the Report.

// The budget of an audit: what it may cost to read and check a file. The unit is about
// the time that a byte takes to be parsed; see engine_budget.go.
const (
	baseBudget  = 256 << 20 // for any file
	entryBudget = 4 << 10   // more for each entry of the trees; an honest one takes a tenth
	byteBudget  = 32        // more for each byte of the file: object streams shrink pages and links to a tenth

	elementCost = 64  // an element of an array value
	urlCost     = 512 // a URL of a set; some bytes of it a byte
	findingCost = 256 // a finding: its message is made and kept
)

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
