package mhtml

const (
	// maxParts is the maximum number of parts of an MHTML file. Each part takes some hundred bytes in memory. Pages
	// have some hundred parts.
	maxParts = 1 << 18

	// maxNested is the maximum number of nested multiparts in an MHTML file. Forwarded mail has a few levels.
	maxNested = 32
)
