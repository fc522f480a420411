package report

import (
	"io"
	"strconv"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/jsondoc"
	"github.com/webcap-tools/webcap/webcapture/internal/layout"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
)

// A gitlabWriter writes records as a Code Quality report of GitLab: an array of issues.
//
// GitLab drops an issue if another has the same fingerprint, and shows only the members of an issue that it knows.
// It requires a line number, although a PDF file has no lines.
type gitlabWriter struct {
	doc    *jsondoc.Document
	opt    Options
	tally  Tally
	issues int
}

type (
	gitlabIssue struct {
		Description string         `json:"description"`
		Check       string         `json:"check_name"`
		Fingerprint string         `json:"fingerprint"`
		Severity    string         `json:"severity"`
		Location    gitlabLocation `json:"location"`
	}
	gitlabLocation struct {
		Path  string      `json:"path"`
		Lines gitlabLines `json:"lines"`
	}
	gitlabLines struct {
		Begin int `json:"begin"`
	}
)

// gitlabSeverity maps levels of findings. The severity critical is for inputs and parts that were not audited, blocker
// for incomplete results.
var gitlabSeverity = [levels]string{rule.Note: "info", rule.Warning: "minor", rule.Error: "major"}

// newGitLab returns a gitlabWriter that writes to w.
func newGitLab(w io.Writer, o Options) *gitlabWriter {
	return &gitlabWriter{doc: jsondoc.New(w), opt: o}
}

// Add writes the issues of a record. An input that is clean, or has nothing to audit, has only issues about identifiers
// and ignored findings, if any.
func (g *gitlabWriter) Add(r *Record) error {
	g.tally.Add(r)
	path, _ := Relative(g.opt.within(r.Path), g.opt.Base)
	// check is the ID of a rule, or a name that no rule has as its ID.
	issue := func(check, severity, text, fingerprint string) error {
		return g.issue(gitlabIssue{text, check, fingerprint, severity, gitlabLocation{path, gitlabLines{1}}})
	}
	if !r.Outcome().Audited() {
		if err := issue("input", "critical", r.Result(), fingerprint("input", path)); err != nil {
			return err
		}
	}
	rep := r.Report
	if rep == nil {
		return g.doc.Flush()
	}
	names := Fingerprints(r, g.opt.Base, g.opt.Directory)
	for i, f := range rep.Findings.All() {
		if err := issue(f.Rule.ID, gitlabSeverity[f.Level()], layout.Printable(f.Place.String()+": "+f.Message),
			names[i]); err != nil {
			return err
		}
	}
	for i, u := range rep.Unread {
		if err := issue("unread", "critical", "could not check "+phrase.Unread(u),
			fingerprint("unread", path, strconv.Itoa(i))); err != nil {
			return err
		}
	}
	if len(rep.Identities) > 0 {
		text := "identifiers compared with their sources: " + ProofsOf(rep).String()
		if err := issue("identifiers", "info", text, fingerprint("identifiers", path)); err != nil {
			return err
		}
	}
	if n := len(r.Ignored); n > 0 {
		if err := issue("ignored", "info", layout.Count(n, "finding")+" ignored", fingerprint("ignored", path)); err != nil {
			return err
		}
	}
	return g.doc.Flush()
}

// issue writes one issue.
func (g *gitlabWriter) issue(i gitlabIssue) error {
	if g.issues == 0 {
		g.doc.Text("[")
	}
	g.doc.Element(g.issues == 0)
	g.issues++
	g.doc.Value(i)
	return g.doc.FlushIfLarge()
}

// Close ends the array. Before, it adds an issue about the configuration, and one if the results are incomplete.
func (g *gitlabWriter) Close(end End) error {
	at := gitlabLocation{".", gitlabLines{1}}
	if text := g.tally.ConfigurationText(&g.opt.Head); len(g.opt.Configuration) > 0 {
		if err := g.issue(gitlabIssue{text, "configuration", fingerprint("configuration"), "info", at}); err != nil {
			return err
		}
	}
	if end != Complete {
		if err := g.issue(gitlabIssue{"the results are incomplete: " + end.Reason(), "incomplete",
			fingerprint("incomplete"), "blocker",
			at}); err != nil {
			return err
		}
	}
	if g.issues == 0 {
		g.doc.Text("[")
	}
	g.doc.Text("\n]\n")
	return g.doc.Flush()
}
