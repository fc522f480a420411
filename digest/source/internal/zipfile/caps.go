package zipfile

const (
	// MaxDirectory is the number of bytes that are read to know what a zip file has
	// in it: some ten thousands of entries, where a WACZ file has dozens. In memory an
	// entry takes ten times its bytes.
	MaxDirectory = 2 << 20
)
