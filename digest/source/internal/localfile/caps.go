package localfile

const (
	// BeginningSize is how much of a file is read to tell what it is.
	BeginningSize = 64 << 10
)
