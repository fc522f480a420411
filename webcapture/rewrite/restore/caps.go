package restore

const (
	// maxContent is the maximum size in bytes of the content of an original's page that is used to recognize it.
	maxContent = 64 << 20

	// maxDepth is the maximum nesting of the objects of a content set in an original. Settings of commands nest most.
	maxDepth = 64

	// maxUnmatched is the maximum number of unrecognized pages of an original that are listed, and of possible matches
	// for each.
	maxUnmatched = 20

	// maxCopied is the maximum number of objects copied from an original.
	maxCopied = 1 << 20

	// maxAlike is the maximum number of content sets that may share a record that still identifies them.
	maxAlike = 64

	// maxNormal is the maximum size in bytes of compared values of content sets.
	maxNormal = 1 << 20

	// maxShown is the maximum size in bytes of a value in a step or message.
	maxShown = 200
)
