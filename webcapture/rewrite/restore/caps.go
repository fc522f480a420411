package restore

const (
	// maxDepth is the maximum nesting of objects in a content set of an original. The settings of commands nest most.
	maxDepth = 64

	// maxUnmatched is the maximum number of listed unrecognized pages of an original, and of listed candidates for
	// each.
	maxUnmatched = 20

	// maxShown is the maximum size in bytes of a value in a step or message.
	maxShown = 200
)
