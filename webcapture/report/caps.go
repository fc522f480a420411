package report

// What results that somebody else has written can make a Reader do.
const (
	// bytes of one record, of which all findings are held, and of the head: a million findings take half of that
	maxRecord = 1 << 30
)
