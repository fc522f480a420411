package warc

// Limits of memory and of recursion. The Meter of the file limits everything else.
const (
	// maxRecordHeader is the maximum size of the header of a WARC or ARC record. A header must fit into a buffer.
	maxRecordHeader = 64 << 10

	// maxDict is the maximum size of a zstd dictionary, stored and decoded. Crawlers write dictionaries of up to one
	// MiB.
	maxDict = 32 << 20

	// maxSkip is the maximum number of decoded bytes before a record in its member. If there are more, the file is
	// unpacked, because each look-up would decode them again.
	maxSkip = 1 << 20

	// maxSeen is the maximum number of keys to remember while the files of archives are audited. Keys are digests and
	// captures to which revisits may refer.
	maxSeen = 4 << 20

	// maxNestedWACZ is the maximum nesting of WACZ files, which is recursive. Multi-WACZ packages have one level.
	maxNestedWACZ = 4
)
