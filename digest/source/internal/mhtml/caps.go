package mhtml

const (
	// maxParts is the number of parts that an MHTML file may have. Each takes some
	// hundred bytes in memory; pages have some hundred parts.
	maxParts = 1 << 18

	// maxNested is the number of multiparts that may be nested in an MHTML file.
	// Mail that is forwarded nests a few.
	maxNested = 32
)
