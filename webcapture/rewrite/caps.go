package rewrite

const (
	// maxRounds is the maximum number of planning rounds. Each round repairs what the previous one made repairable.
	// More than three rounds have not been observed.
	maxRounds = 4

	// maxAttempts is the maximum number of attempts at a plan. Each omits the steps that caused new findings in the
	// previous attempt. The last one has no steps.
	maxAttempts = 24
)
