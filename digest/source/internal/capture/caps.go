package capture

// MaxBody is the maximum decoded size of a body. It protects against compressed data that fill disks.
const MaxBody = 1 << 30

const (
	// maxChecksum is the maximum size of a digest in a record: twice that of SHA-512 in hexadecimal.
	maxChecksum = 256

	// MaxKept is the maximum number of captures, including redirects, that Find returns for one URL. It is enough for a
	// page captured every day for two years. The search for a page tries each of its captures with each capture of its
	// files.
	MaxKept = 1000
)
