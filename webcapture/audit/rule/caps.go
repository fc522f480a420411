package rule

// maxPadding is the maximum number of bytes of white space after an end-of-image marker. Tools write a line end.
const maxPadding = 64

// MaxShown is the maximum number of bytes of a key in a message. A key may be as long as a file, and have many
// findings.
const MaxShown = 512
