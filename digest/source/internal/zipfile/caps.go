package zipfile

const (
	// maxDirectory is the maximum size of the directory of a zip file. It is enough for some ten thousands of entries;
	// a WACZ file has dozens. An entry takes ten times its size in memory.
	maxDirectory = 2 << 20
)
