package rule

// The caps of this package, each with its reason.

// What takes how much of the budget of an audit, of which [webcapture.Budget] has the
// unit; see [Engine].
const (
	ElementCost = 64  // an element of an array value
	URLCost     = 512 // a URL of a set; some bytes of it a byte
	findingCost = 256 // a finding: its message is made and kept
)

// MaxShown is how many bytes of a key a message shows at most: a key may be as long
// as a file, and have many findings.
const MaxShown = 512
