package restore

const (
	// maxContent is the maximum size in bytes of posted data that is copied.
	maxContent = 64 << 20

	// maxDepth is the maximum nesting of objects in a content set of an original. The settings of commands nest most.
	maxDepth = 64

	// maxUnmatched is the maximum number of listed unrecognized pages of an original, and of listed candidates for
	// each.
	maxUnmatched = 20

	// maxCopied is the maximum number of objects copied from an original.
	maxCopied = 1 << 20

	// maxShown is the maximum size in bytes of a value in a step or message.
	maxShown = 200
)
