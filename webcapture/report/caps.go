package report

// Limits of a Reader for results from unknown sources.
const (
	// bytes of the head or of one record with all findings: a million findings take half of that
	maxRecord = 1 << 30
)
