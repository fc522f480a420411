package har

const (
	// maxEntry is the maximum size of an entry of a HAR file. An entry is decoded in one piece and takes three times
	// its size in memory.
	maxEntry = 128 << 20

	// readWork is the price of reading an entry or a part, in addition to its data: the file is opened again.
	readWork = 64 << 10
)
