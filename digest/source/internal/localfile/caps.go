package localfile

const (
	// BeginningSize is the number of bytes of a file that are read to detect its kind.
	BeginningSize = 64 << 10
)
