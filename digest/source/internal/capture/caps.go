package capture

// MaxBody is the number of bytes that a body may have, decoded. It is there for
// compressed data that are made to fill disks.
const MaxBody = 1 << 30

const (
	// maxChecksum is the size of a digest as it stands in a record: twice that of SHA-512 in
	// hexadecimal.
	maxChecksum = 256

	// MaxKept is the number of things, redirects too, that Find looks at for one URL:
	// a page that was captured every day for two years. Who looks for a page tries
	// every one of them, with every one of those of its files.
	MaxKept = 1000
)
