package rewrite

const (
	// maxRounds is how often what a plan leads to is planned for again. Each round brings
	// to light what the one before made possible: more than three have not been seen.
	maxRounds = 12

	// maxAttempts is how often a plan is made anew without the steps that something new
	// would come of. The last one is without any.
	maxAttempts = 24

	// maxContent is in bytes: the content of a page of an original, which is read to know
	// it again.
	maxContent = 64 << 20

	// maxPlantDepth is how deep the objects of an original nest that a content set is made
	// of. Settings of commands nest most.
	maxPlantDepth = 64

	// maxUnmatched is how many pages of an original that are not found again are named, and how
	// many pages that one of them may be: more nobody reads.
	maxUnmatched = 20

	// maxPlanted is how many objects are taken from an original.
	maxPlanted = 1 << 20
)
