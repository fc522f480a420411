package body

// Limits of memory for one body. The Meter of the source limits everything else.
const (
	// maxCodings is the maximum number of codings that are removed from one body, each of which has a decoder in memory.
	// Servers apply one or two.
	maxCodings = 5

	// maxWindow is the maximum memory of the decoder of a zstd body: the default of the zstd program.
	maxWindow = 128 << 20

	// maxHeader is the maximum size of the header of an HTTP response, and of the trailer of a chunked body. Both are
	// read into memory. Browsers stop at 256 KiB.
	maxHeader = 1 << 20
)
