package har

const (
	// maxHAREntry is the maximum size of an entry of a HAR file without its long strings. It is decoded in one piece
	// and takes three times its size. A body of any length is read piece by piece, up to MaxBody bytes.
	maxHAREntry = 64 << 20

	// maxHARString is the size from which a string is long.
	maxHARString = 1 << 20
)
