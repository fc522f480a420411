package command

import (
	"errors"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// outcome is the result of a run. Commands note it as they go, and none of them
// chooses an exit code: one cause has one code, whichever command meets it.
type outcome struct {
	partial bool // damage or a cap hid something, or something could not be read, looked up or written
	wrong   bool // something is not as it should be: findings, differences, digests, URLs
	sought  bool // it is about something that need not be there: a database, inputs, names
	found   bool // some of that is there
}

// code returns the exit code. That something was not seen comes first: it may be anything.
func (o *outcome) code() int {
	switch {
	case o.partial:
		return exitFailed
	case o.wrong:
		return exitFindings
	case o.sought && !o.found:
		return exitNothing
	}
	return exitClean
}

// seek notes that the command is about something, and whether that is there.
func (o *outcome) seek(found bool) {
	o.sought = true
	o.found = o.found || found
}

// audited notes what came of an input, with findings from a level on, and says what of
// it was not audited.
func (p *program) audited(rec *report.Record, failOn rule.Level) {
	switch {
	case !rec.Outcome().Audited():
		p.fail(rec.Path, rec.Err)
	case rec.Err != nil: // a folder or an archive without files
		p.say("%s: %s", rec.Path, rec.Reason())
	case rec.Outcome() != report.Nothing:
		p.unread(rec.Path, "checked", rec.Report.Unread)
		p.found = true
		p.wrong = p.wrong || rec.Report.Worst() >= failOn
	}
}

// fail notes that a file could not be read, and says why, and what helps, unless the results
// beside it do.
func (p *program) fail(path string, err error) {
	p.partial = true
	if p.told && !errors.Is(err, webcapture.ErrPassword) {
		return
	}
	reason := (&report.Record{Path: path, Err: err}).Reason()
	if errors.Is(err, webcapture.ErrPassword) {
		reason += " (see --password-file)"
	}
	p.say("%s: %s", path, reason)
}

// unread notes that parts of a file could not be read, if there are any, and says so, unless
// the results do; verb is what would have been done with them.
func (p *program) unread(path, verb string, parts []rule.Unread) {
	if len(parts) == 0 {
		return
	}
	p.partial = true
	if !p.told {
		p.say("%s: %s could not be %s, the first: %s", path, layout.Count(len(parts), "part"), verb,
			phrase.Unread(parts[0]))
	}
}
