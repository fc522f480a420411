package restore

const (
	// maxContent is the maximum size in bytes of page content that is compared.
	maxContent = 64 << 20

	// maxDepth is the maximum nesting of objects in a content set of an original. The settings of commands nest most.
	maxDepth = 64

	// maxUnmatched is the maximum number of listed unrecognized pages of an original, and of listed possible matches
	// for each.
	maxUnmatched = 20

	// maxCopied is the maximum number of objects copied from an original.
	maxCopied = 1 << 20

	// maxAlike is the maximum number of content sets with an equal record. A record that more of them share identifies
	// none.
	maxAlike = 64

	// maxNormal is the maximum size in bytes of values that are compared.
	maxNormal = 1 << 20

	// maxShown is the maximum size in bytes of a value in a step or message.
	maxShown = 200
)
