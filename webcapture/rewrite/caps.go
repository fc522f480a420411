package rewrite

const (
	// maxRounds is how often what a plan leads to is planned for again. Each round brings
	// to light what the one before made possible: more than three have not been seen.
	maxRounds = 12

	// maxAttempts is how often a plan is made anew without the steps that something new
	// would come of. The last one is without any.
	maxAttempts = 24
)
