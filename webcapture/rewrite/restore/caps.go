package restore

const (
	// maxContent is in bytes: the content of a page of an original, which is read to know
	// it again.
	maxContent = 64 << 20

	// maxDepth is how deep the objects of an original nest that a content set is made
	// of. Settings of commands nest most.
	maxDepth = 64

	// maxUnmatched is how many pages of an original that are not recognized are named, and how
	// many pages that one of them may be.
	maxUnmatched = 20

	// maxCopied is how many objects are taken from an original.
	maxCopied = 1 << 20

	// maxAlike is how many content sets may share a record that still tells them apart.
	maxAlike = 64

	// maxNormal is in bytes: the values of two content sets that are compared.
	maxNormal = 1 << 20

	// maxShown is in bytes: what a step or message shows of a value.
	maxShown = 200
)
