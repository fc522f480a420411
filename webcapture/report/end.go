package report

// An End says how results end: with every input that was asked for, or why not.
// The greater of two is that of both together.
type End int

const (
	Complete    End = iota // every input that was asked for has been added
	FailFast               // the audit stopped at an input that fails, as it was asked to
	Missing                // some inputs or their results are missing
	Interrupted            // the audit was interrupted
)

// endNames are what JSON calls them.
var endNames = [...]string{"complete", "fail-fast", "missing", "interrupted"}

// String returns the name that JSON has for it.
func (e End) String() string { return endNames[e] }

// Reason says in words why results are not complete; empty if they are.
func (e End) Reason() string {
	return [...]string{
		FailFast:    "the audit was stopped by --fail-fast",
		Missing:     "some inputs are missing",
		Interrupted: "the audit was interrupted",
	}[e]
}

// endOf returns what a summary says. One that gives no reason is of an audit that was
// interrupted.
func endOf(s *jsonSummary) End {
	if s.Complete {
		return Complete
	}
	for _, e := range []End{FailFast, Missing} {
		if s.End == e.String() {
			return e
		}
	}
	return Interrupted
}
