package har

const (
	// maxHAREntry is the size of an entry of a HAR file without its long strings, which
	// is decoded in one piece and takes three times its size. A body, long as it is,
	// is read piece by piece, and has at most MaxBody bytes.
	maxHAREntry = 64 << 20

	// maxHARString is the size of a string from which on it is long.
	maxHARString = 1 << 20
)
