package body

// Limits of memory for one body. The Meter of the source limits everything else.
const (
	// maxCodings is the maximum number of codings removed from one body, each of which has a decoder in memory. Servers
	// apply one or two.
	maxCodings = 4

	// MaxWindow is the maximum memory of the decoder of a zstd body or frame: the default of the zstd program.
	MaxWindow = 128 << 20

	// maxHeader is the maximum size of the header of an HTTP response or of a part of an MHTML file, and of a line
	// between chunks. All are read into memory. Browsers stop at 256 KiB.
	maxHeader = 1 << 20

	// quotedLine is the size of the buffer for a line in quoted-printable. The standard allows 76 bytes (RFC 2045, 6.7),
	// but some programs do not break lines.
	quotedLine = 64 << 10
)
