// Package suppress sets findings aside that somebody has decided to live with: those
// that an entry of a list names, with a reason, and those that an earlier audit
// found already, its baseline.
//
//	t, err := suppress.New(suppress.Options{Entries: entries, Root: dir})
//	…
//	t.Apply(rec)
//	…
//	for _, remark := range t.Remarks() {
//
// What is set aside is in the record's Ignored, with the reason, and counts for
// nothing. Nothing gets lost: entries that are of no use, or not any more, are
// remarked on.
package suppress

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Options says what to set aside, and what the audit looks at, so that an entry
// for something else is not taken for one of no use.
type Options struct {
	Entries  []Entry
	Root     string    // an absolute path: Path of an Entry is relative to it
	Baseline *Baseline // nil for none

	// As those of report.Fingerprints.
	Base, Directory string

	Today  time.Time     // entries are in force until the end of their day
	Rules  []*audit.Rule // that are checked
	Inputs []string      // files and folders that are audited
}

// A Filter sets the findings of one audit aside.
type Filter struct {
	opt      Options
	entries  []*entry
	checked  map[string]bool // IDs of rules
	inputs   map[string]bool // relative to Root
	folder   bool            // some input is a folder with files in it
	named    bool            // some entry has a fingerprint
	baseline baselineUse
}

// New returns a Filter. The error is that of the first entry with which nothing
// can be done; it begins with where it stands.
func New(opt Options) (*Filter, error) {
	t := &Filter{opt: opt, checked: map[string]bool{}, inputs: map[string]bool{}}
	for _, r := range opt.Rules {
		t.checked[r.ID] = true
	}
	for _, in := range opt.Inputs {
		t.inputs[relative(opt.Root, in)] = true
	}
	for _, e := range opt.Entries {
		c, err := e.compile(opt.Today)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Where, err)
		}
		t.entries = append(t.entries, c)
		t.named = t.named || e.Fingerprint != ""
	}
	if opt.Baseline != nil {
		t.baseline = opt.Baseline.use()
	}
	return t, nil
}

// Apply moves the findings of a record that are to be ignored to its Ignored, in
// their order. The first entry that names a finding gives the reason.
func (t *Filter) Apply(rec *report.Record) {
	path := relative(t.opt.Root, rec.Path)
	var mine []*entry // that may name a finding of this record
	for _, e := range t.entries {
		if e.matchesPath(path) {
			mine = append(mine, e)
			e.seen = true
			e.unsure = e.unsure || rec.Report == nil || len(rec.Report.Unread) > 0
		}
	}
	if rec.Report == nil {
		return
	}
	t.folder = t.folder || !t.inputs[path]
	t.apart(rec, func(i int) string {
		f := &rec.Report.Findings[i]
		return reason(mine, f, t.fingerprint(rec.Path, f))
	})
	if t.opt.Baseline != nil {
		t.applyBaseline(rec)
	}
	// Here: what is left counts, that which expired entries name included.
	for _, e := range mine {
		for i := range rec.Report.Findings {
			f := &rec.Report.Findings[i]
			if e.expired && e.names(f, t.fingerprint(rec.Path, f)) {
				e.used++
			}
		}
	}
}

// applyBaseline sets aside what the baseline has of a record without the findings
// that entries name.
func (t *Filter) applyBaseline(rec *report.Record) {
	// Findings that are the same but for their number are told apart among those
	// that are left, here as in the results that are the baseline.
	names := report.Fingerprints(rec, t.opt.Base, t.opt.Directory)
	t.apart(rec, func(i int) string {
		if t.baseline.has(names[i]) {
			return InBaseline
		}
		return ""
	})
	if len(rec.Report.Unread) == 0 {
		t.baseline.whole[report.Seen(rec.Path, t.opt.Base, t.opt.Directory)] = true
	}
}

// apart moves the findings for which reason, given their index, is not empty.
func (t *Filter) apart(rec *report.Record, reason func(int) string) {
	list := rec.Report.Findings
	kept := list[:0]
	for i := range list {
		if why := reason(i); why != "" {
			rec.Ignored = append(rec.Ignored, report.Ignored{Finding: list[i], Reason: why})
		} else {
			kept = append(kept, list[i])
		}
	}
	clear(list[len(kept):])
	rec.Report.Findings = kept
}

// fingerprint returns the fingerprint that a finding has if no other is like it, ""
// if no entry asks for it. What was decided about one holds for those that differ
// from it in nothing that anybody could point at.
func (t *Filter) fingerprint(path string, f *audit.Finding) string {
	if !t.named {
		return ""
	}
	alone := report.Record{Path: path, Report: &audit.Report{Findings: []audit.Finding{*f}}}
	return report.Fingerprints(&alone, t.opt.Base, t.opt.Directory)[0]
}

// reason returns the reason of the first entry in force that names the finding,
// "" if there is none. Every such entry counts as used.
func reason(list []*entry, f *audit.Finding, fingerprint string) string {
	why := ""
	for _, e := range list {
		if e.expired || !e.names(f, fingerprint) {
			continue
		}
		e.used++
		if why == "" {
			why = e.Reason
		}
	}
	return why
}

// Remarks returns, after all records, a line for each entry that has expired, and
// for each that named no finding although all of what it is about was audited; and
// one about findings of the baseline that are gone.
func (t *Filter) Remarks() []string {
	var out []string
	for _, e := range t.entries {
		until := e.Until.Format(time.DateOnly)
		switch {
		case e.expired && e.used > 0:
			out = append(out, fmt.Sprintf("%s: expired on %s: %s counted again", e.Where, until, findings(e.used)))
		case e.expired:
			out = append(out, fmt.Sprintf("%s: expired on %s", e.Where, until))
		case e.used == 0 && t.covers(e):
			out = append(out, fmt.Sprintf("%s: there is nothing that this entry ignores", e.Where))
		}
	}
	if gone := t.baseline.gone(t.checked); gone > 0 {
		out = append(out, fmt.Sprintf("baseline: %s gone", findings(gone)))
	}
	return out
}

// findings returns n with noun and verb.
func findings(n int) string {
	if n == 1 {
		return "1 finding is"
	}
	return fmt.Sprintf("%d findings are", n)
}

// covers reports whether this audit looked at all that the entry is about: the
// rules, and the files, with success. An entry for any file is about the files of
// the folder that is audited, if one is.
func (t *Filter) covers(e *entry) bool {
	switch {
	case e.unsure, len(e.rules) == 0 && len(t.checked) < len(audit.Rules()):
		return false
	case slices.ContainsFunc(e.rules, func(id string) bool { return !t.checked[id] }):
		return false
	case e.Path == "":
		return t.folder
	case e.seen && !e.pattern:
		return true
	}
	for in := range t.inputs {
		_, around := report.Below(t.opt.Root, in) // the root is in this folder
		if in == "." || in == e.stem || strings.HasPrefix(e.stem, in+"/") || around && !filepath.IsAbs(e.stem) {
			return true
		}
	}
	return false
}
