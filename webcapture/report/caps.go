package report

// Limits of a Reader for results from unknown sources.
const (
	// maximum bytes of the head, or of one record with all findings; a million findings take half of that
	maxRecord = 1 << 30
)
