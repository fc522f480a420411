package archive

// Limits for archives. A member beyond a limit has an Err with the reason, and the others follow.

const (
	// maxDepth is the maximum nesting of archives: a WARC file in a WACZ file in a zip file is at 3.
	maxDepth = 3

	// maxRatio limits the decoded size of a member. All members together may exceed that by the work of a meter for the
	// size of the archive. Text reaches a ratio of 20, lists 100.
	maxRatio = 250

	// maxDirectory is the maximum size of the directory of a zip file, enough for about a million members. The
	// directory takes ten times as much memory.
	maxDirectory = 64 << 20

	// maxWindow is the maximum memory of the decoder of a zstd frame or of an xz block: the default of the zstd
	// program.
	maxWindow = 128 << 20

	// inMemory is the maximum size of a member in memory. Larger members are stored in temporary files, which are
	// mapped.
	inMemory = 1 << 20

	// headerEnd is the maximum position of the header of a PDF, as in Acrobat.
	headerEnd = 1024

	// startSize is the number of bytes of a file that are read to detect its kind. They hold the first kilobyte of data,
	// even if it is compressed.
	startSize = 4 * headerEnd

	// lookAhead is the number of bytes read to detect the kind of a compressed entry in a stream. bzip2 decodes
	// whole blocks of at most 900,000 bytes, which may be compressed.
	lookAhead = 1 << 20
)
