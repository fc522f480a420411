package har

const (
	// maxEntry is the maximum size of an entry of a HAR file. An entry is decoded in one piece and takes three times
	// its size in memory.
	maxEntry = 128 << 20

	// maxParts is the maximum number of parts of an MHTML file. Each part takes some hundred bytes in memory. Pages
	// have some hundred parts.
	maxParts = 1 << 18

	// maxNested is the maximum number of nested multiparts in an MHTML file. Forwarded mail has a few levels.
	maxNested = 32
)
