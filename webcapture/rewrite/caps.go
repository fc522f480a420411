package rewrite

const (
	// maxRounds is the maximum number of planning rounds. Each round repairs what the previous one made possible: more
	// than three have not been observed.
	maxRounds = 12

	// maxAttempts is the maximum number of plans. Each omits the steps that caused new findings in the previous one;
	// the last plan has no steps.
	maxAttempts = 24
)
