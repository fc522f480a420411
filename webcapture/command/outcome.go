package command

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// outcome collects the events of a run and determines the exit code. Commands record events, but never choose an
// exit code: the same cause gives the same code in all commands.
type outcome struct {
	partial bool // data are hidden by damage or a limit, or could not be read, looked up, or written
	wrong   bool // findings, differences, wrong digests, or wrong URLs
	sought  bool // the command searches for data that may be absent: a database, inputs, names
	found   bool // the search found some
	passed  int  // exit code of a command that failed; 0 if none did
}

// code returns the exit code. Unread parts come first: they may contain anything.
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

// seek records that the command searches for data, and whether it found some.
func (o *outcome) seek(found bool) {
	o.sought = true
	o.found = o.found || found
}

// audited records the outcome of an input, and reports unaudited parts. Findings count from level failOn on.
func (p *program) audited(rec *report.Record, failOn rule.Level) {
	switch {
	case rec.Verdict() == report.IsAccepted:
		p.found = true
	case !rec.Outcome().Audited():
		p.fail(rec.Path, rec.Err)
	case rec.Err != nil: // the error of a folder or an archive without files
		p.say("%s: %s", rec.Path, rec.Reason())
	case rec.Outcome() != report.Nothing:
		if rec.Accepted == "" {
			p.unread(rec.Path, "checked", rec.Report.Unread)
		}
		p.found = true
		p.wrong = p.wrong || rec.Report.Worst() >= failOn
	}
}

// fail records that a file could not be read. It reports the reason, unless the results already show it.
func (p *program) fail(path string, err error) {
	p.partial = true
	if !p.told {
		p.say("%s: %s", path, (&report.Record{Path: path, Err: err}).Reason())
	}
}

// unread records that parts of a file could not be read. It reports them unless the results already show them. verb
// is the operation that would have used the parts.
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
