package body

// MaxBody is the maximum decoded size of a body. It protects against compressed data that fill disks.
const MaxBody = 1 << 30

const (
	// maxChecksum is the maximum size of a digest in a record: twice that of SHA-512 in hexadecimal.
	maxChecksum = 256

	// maxCodings is the maximum number of codings removed from one body. Servers apply one or two.
	maxCodings = 4

	// MaxWindow is the maximum memory of the decoder of a zstd body or frame: the default of the zstd program.
	MaxWindow = 128 << 20

	// maxReplyHeader is the maximum size of the header of an HTTP response or of a part of an MHTML file. Browsers stop
	// at 256 KiB.
	maxReplyHeader = 1 << 20

	// maxChunkLine is the maximum size of the line before a chunk, and of a line of the trailer after the chunks.
	maxChunkLine = 64 << 10

	// maxQuotedLine is the maximum size of a line in quoted-printable. The standard allows 76 bytes (RFC 2045, 6.7),
	// but some programs do not break lines.
	maxQuotedLine = 64 << 10
)
