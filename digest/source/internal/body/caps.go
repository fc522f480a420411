package body

const (
	// maxCodings is the number of codings that are taken off one body. Servers
	// apply one or two.
	maxCodings = 4

	// MaxWindow is the memory that the decoder of a zstd body or frame may take:
	// what the zstd program itself takes without being told to.
	MaxWindow = 128 << 20

	// maxReplyHeader is the size of the header of an HTTP reply or of a part of an
	// MHTML file. Browsers stop at 256 KiB.
	maxReplyHeader = 1 << 20

	// maxChunkLine is the size of the line before a chunk, and of one of the trailer after
	// all chunks.
	maxChunkLine = 64 << 10

	// maxQuotedLine is the size of a line in quoted-printable, which has 76 bytes (RFC 2045, 6.7). Programs
	// forget to break lines.
	maxQuotedLine = 64 << 10
)
