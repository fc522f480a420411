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

	// maxWindow is the maximum memory of the decoder of a zstd frame: the default of the zstd program.
	maxWindow = 128 << 20
)
