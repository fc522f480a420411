package report

// An End says whether results are complete, or why not. For two results together, the greater End counts.
type End int

const (
	Complete    End = iota // all inputs were added
	Missing                // some inputs or their results are missing
	Interrupted            // the audit was interrupted
)

// endNames are the names of Ends in JSON.
var endNames = [...]string{"complete", "missing", "interrupted"}

// String returns the name in JSON.
func (e End) String() string { return endNames[e] }

// Reason explains why results are incomplete; empty if they are complete.
func (e End) Reason() string {
	return [...]string{
		Missing:     "some inputs or their results are missing",
		Interrupted: "the audit was interrupted",
	}[e]
}

// endOf returns the End of a summary. If the results are incomplete for an unknown reason, it returns Interrupted.
func endOf(s *jsonSummary) End {
	if s.Complete {
		return Complete
	}
	if s.End == Missing.String() {
		return Missing
	}
	return Interrupted
}
