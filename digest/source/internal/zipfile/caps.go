package zipfile

const (
	// MaxDirectory is the maximum size of the directory of a zip file: some ten thousands of entries, where a WACZ file
	// has dozens. In memory an entry takes ten times its size.
	MaxDirectory = 2 << 20
)
