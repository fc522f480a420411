package warc

// Limits of memory. The Meter of the file limits everything else.
const (
	// maxRecordHeader is the maximum size of the header of a WARC or ARC record. A header must fit into a buffer.
	maxRecordHeader = 64 << 10

	// maxDict is the maximum size of a zstd dictionary, stored and decoded. Crawlers write dictionaries of up to one
	// MiB.
	maxDict = 32 << 20
)
