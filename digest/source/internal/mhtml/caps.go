package mhtml

const (
	// maxParts is the maximum number of parts of an MHTML file. Each takes some hundred bytes in memory; pages have
	// some hundred parts.
	maxParts = 1 << 18

	// maxNested is the maximum number of nested multiparts in an MHTML file. Forwarded mail nests a few.
	maxNested = 32
)
