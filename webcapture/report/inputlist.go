package report

import (
	"io"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/spool"
)

// An inputList collects texts about inputs with problems, which follow the totals. Other inputs are only counted,
// unless there is only one input, or Options.Verbose lists all.
type inputList struct {
	opt      Options
	tally    Tally
	inListed int         // number of inputs in listed
	only     spool.Spool // the first input, if it has no problem
	listed   spool.Spool
}

// add counts a record. It returns the destination of the text about the input; nil if the input is not listed.
func (l *inputList) add(r *Record) *spool.Spool {
	l.tally.Add(r)
	if l.opt.Verbose || l.opt.isProblem(r) {
		l.inListed++
		return &l.listed
	}
	if l.tally.Inputs == 1 {
		return &l.only
	}
	return nil
}

// copyTo writes the collected texts.
func (l *inputList) copyTo(w io.Writer) error {
	if l.tally.Inputs == 1 {
		if err := l.only.CopyTo(w); err != nil {
			return err
		}
	}
	return l.listed.CopyTo(w)
}

// close removes temporary files.
func (l *inputList) close() {
	l.only.Close()
	l.listed.Close()
}

// unlistedText says how to list what is only counted; empty if everything is listed.
func (l *inputList) unlistedText() string {
	files := l.tally.Inputs > max(l.inListed, 1)
	notes := l.tally.Levels[rule.Note] > 0 && !l.opt.lists(rule.Note)
	switch {
	case files && notes:
		return "-v lists all files and notes."
	case files:
		return "-v lists all files."
	case notes:
		return "-v lists notes."
	}
	return ""
}
