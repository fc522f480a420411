package rule

// Limits and costs of this package, each with its reason.

// Costs of work, in units of an audit's [webcapture.Budget]; see [Engine].
const (
	ElementCost = 64  // for each element of an array value
	URLCost     = 512 // for each URL of a content set, plus a few units for each byte of it
	findingCost = 256 // for each finding: its message is formatted and kept
)

// maxPadding is the maximum number of bytes of white space after an end-of-image marker. Tools write a line end.
const maxPadding = 64

// MaxShown is the maximum number of bytes of a key in a message. A key may be as long as a file, and have many
// findings.
const MaxShown = 512
