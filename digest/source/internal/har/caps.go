package har

const (
	// maxHAREntry is the maximum size of an entry of a HAR file, not counting long strings. An entry is decoded in one
	// piece and takes three times its size in memory. A body is a long string: it is read piece by piece, up to MaxBody
	// bytes.
	maxHAREntry = 64 << 20

	// maxHARString is the minimum size of a long string.
	maxHARString = 1 << 20
)
