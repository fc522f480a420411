package report

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A Verdict is the result of an input in a word. Texts for people about one input and about all inputs use the same
// words. A note is no problem: an input that has only notes is clean.
type Verdict uint8

// The verdicts, in the order of totals.
const (
	WithErrors   Verdict = iota
	WithWarnings         // and without errors
	InPart               // a part could not be checked; the rest may have findings
	NotAudited           // failed, timed out, or skipped
	IsAccepted           // not audited, or in part and clean, which the user accepts
	IsClean              // without errors and warnings
	NoDatabase           // there is nothing to audit
	NoFiles              // a folder or an archive without PDF files

	verdicts
)

// String returns the words after the number of inputs.
func (v Verdict) String() string {
	return [verdicts]string{"with errors", "with warnings", "checked in part", "not audited", "accepted", "clean",
		"without a content database", "without PDF files"}[v]
}

// Verdict returns the verdict on the input.
func (r *Record) Verdict() Verdict {
	outcome := r.Outcome()
	switch {
	case outcome == Nothing && r.Report == nil:
		return NoFiles
	case outcome == Nothing:
		return NoDatabase
	case r.Report == nil && r.Accepted != "":
		return IsAccepted
	case r.Report == nil:
		return NotAudited
	case outcome == Partial && r.Accepted == "":
		return InPart
	}
	switch level := r.Report.Worst(); {
	case level == rule.Error:
		return WithErrors
	case level == rule.Warning:
		return WithWarnings
	case outcome == Partial:
		return IsAccepted
	}
	return IsClean
}

// Result describes the verdict on the input on one line.
func (r *Record) Result() string {
	rep := r.Report
	switch r.Verdict() {
	case NoFiles:
		return r.Reason()
	case NoDatabase:
		return "without a content database"
	}
	accepted := ""
	if r.Accepted != "" {
		accepted = " (" + layout.Printable(r.Accepted) + ")"
	}
	if rep == nil {
		return "not audited: " + r.Reason() + accepted
	}
	var counts []string
	for l := rule.Error; l >= rule.Note; l-- {
		if n := rep.Count(l); n > 0 {
			counts = append(counts, layout.Count(n, l.String()))
		}
	}
	switch n := len(rep.Unread); {
	case n > 0:
		counts = append(counts, "checked in part: "+layout.Count(n, "part")+" could not be checked"+accepted)
	case r.Verdict() == IsClean:
		counts = append([]string{"clean"}, counts...)
	}
	if n := len(r.Ignored); n > 0 {
		counts = append(counts, fmt.Sprintf("%d ignored", n))
	}
	return phrase.Contents(rep) + ": " + strings.Join(counts, ", ")
}

// isProblem reports whether texts list an input without Options.Verbose.
func (o *Options) isProblem(r *Record) bool {
	switch r.Verdict() {
	case IsClean:
		return len(r.Report.Findings) > 0 && o.lists(rule.Note)
	case IsAccepted, NoDatabase, NoFiles:
		return false
	}
	return true
}

// InputsText returns the number of inputs by verdict as text.
func (t *Tally) InputsText() string {
	if t.Inputs == 0 {
		return "no file was audited"
	}
	var parts []string
	for v := WithErrors; v < NoFiles; v++ {
		if n := t.Verdicts[v]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %v", n, v))
		}
	}
	switch n := t.Verdicts[NoFiles]; {
	case n == 1:
		parts = append(parts, "1 folder or archive "+NoFiles.String())
	case n > 1:
		parts = append(parts, fmt.Sprintf("%d folders or archives %v", n, NoFiles))
	}
	text := strings.Join(parts, ", ")
	if n := t.Inputs - t.Verdicts[NoFiles]; n > 0 {
		text = layout.Count(n, "file") + ": " + text
	}
	return text
}
