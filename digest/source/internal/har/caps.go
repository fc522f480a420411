package har

const (
	// maxEntry is the maximum size of an entry of a HAR file. An entry is decoded in one piece and takes three times
	// its size in memory.
	maxEntry = 128 << 20

	// maxMHTML is the maximum size of an MHTML file, which is read into memory to find its parts.
	maxMHTML = 256 << 20

	// maxLine is the maximum size of a line in quoted-printable. The standard allows 76 bytes (RFC 2045, 6.7), but some
	// programs do not break lines.
	maxLine = 64 << 10

	// readWork is the price of reading an entry or a part, in addition to its data: the file is opened again.
	readWork = 64 << 10
)
