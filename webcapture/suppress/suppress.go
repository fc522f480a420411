// Package suppress sets aside findings that users have accepted: those that match an entry of a list, with a
// reason, and those of an earlier audit, the baseline.
//
//	filter, err := suppress.New(suppress.Options{Entries: entries, Root: dir})
//	…
//	filter.Apply(rec)
//	…
//	for _, remark := range filter.Remarks() {
//
// Findings set aside are in the record's Ignored, with the reason, and do not affect the outcome. Remarks reports
// entries that match nothing, or that have expired.
package suppress

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Options are the findings to set aside, and the scope of the audit. An entry outside of the scope is not reported
// as matching nothing.
type Options struct {
	Entries  []Entry
	Root     string    // an absolute path, to which Path of an Entry is relative
	Baseline *Baseline // nil for none

	// As those of report.Fingerprints.
	Base, Directory string

	Today  time.Time    // entries are in force until the end of their last day
	Rules  []*rule.Rule // that are checked
	Inputs []string     // audited files and folders
}

// A Filter sets aside the findings of one audit.
type Filter struct {
	opt      Options
	entries  []*entry
	checked  map[string]bool // IDs of rules
	inputs   map[string]bool // relative to Root
	folder   bool            // some input is a folder with files
	named    bool            // some entry has a fingerprint
	baseline baselineUse
}

// New returns a Filter. The error describes the first invalid entry, and begins with its place.
func New(opt Options) (*Filter, error) {
	s := &Filter{opt: opt, checked: map[string]bool{}, inputs: map[string]bool{}}
	for _, r := range opt.Rules {
		s.checked[r.ID] = true
	}
	for _, in := range opt.Inputs {
		s.inputs[relative(opt.Root, in)] = true
	}
	for _, e := range opt.Entries {
		c, err := e.compile(opt.Today)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Where, err)
		}
		s.entries = append(s.entries, c)
		s.named = s.named || e.Fingerprint != ""
	}
	if opt.Baseline != nil {
		s.baseline = opt.Baseline.use()
	}
	return s, nil
}

// Apply moves the ignored findings of a record to its Ignored, in their order. The first entry that matches a
// finding gives the reason.
func (s *Filter) Apply(rec *report.Record) {
	path := relative(s.opt.Root, rec.Path)
	var applicable []*entry // that may match findings of this record
	for _, e := range s.entries {
		if e.matchesPath(path) {
			applicable = append(applicable, e)
			e.seen = true
			e.unsure = e.unsure || rec.Report == nil || len(rec.Report.Unread) > 0
		}
	}
	if rec.Report == nil {
		return
	}
	s.folder = s.folder || !s.inputs[path]
	s.ignore(rec, func(_ int, f *rule.Finding) string {
		return reason(applicable, f, s.fingerprint(rec.Path, f))
	})
	if s.opt.Baseline != nil {
		s.applyBaseline(rec)
	}
	// The remaining findings count, including those of expired entries.
	for _, e := range applicable {
		for _, f := range rec.Report.Findings.All() {
			if e.expired && e.names(&f, s.fingerprint(rec.Path, &f)) {
				e.used++
			}
		}
	}
}

// applyBaseline sets aside the findings of the baseline, after those of entries.
func (s *Filter) applyBaseline(rec *report.Record) {
	// Otherwise equal findings are numbered among the remaining ones, as in the results of the baseline.
	path := s.opt.Baseline.pathOf(report.FingerprintPath(rec.Path, s.opt.Base, s.opt.Directory), rec.SHA256, s.opt.Base,
		s.baseline.taken)
	fingerprints := report.FingerprintsAt(rec, path)
	s.ignore(rec, func(i int, _ *rule.Finding) string {
		if s.baseline.has(fingerprints[i]) {
			return InBaseline
		}
		return ""
	})
	if len(rec.Report.Unread) == 0 {
		s.baseline.whole[path] = true
	}
}

// ignore moves the findings for which reason, called with them and their index, is not empty.
func (s *Filter) ignore(rec *report.Record, reason func(int, *rule.Finding) string) {
	rec.Report.Findings.DeleteFunc(func(i int, f rule.Finding) bool {
		why := reason(i, &f)
		if why != "" {
			rec.Ignored = append(rec.Ignored, report.Ignored{Finding: f, Reason: why})
		}
		return why != ""
	})
}

// fingerprint returns the fingerprint of a finding without its number, "" if no entry has one. So a decision about
// one finding holds for all that differ only in their number.
func (s *Filter) fingerprint(path string, f *rule.Finding) string {
	if !s.named {
		return ""
	}
	alone := report.Record{Path: path, Report: &audit.Report{Findings: rule.FindingsOf(*f)}}
	return report.Fingerprints(&alone, s.opt.Base, s.opt.Directory)[0]
}

// reason returns the reason of the first entry in force that matches the finding, "" if there is none. Each such
// entry counts as used.
func reason(list []*entry, f *rule.Finding, fingerprint string) string {
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

// Remarks returns, after all records, a line for each expired entry, and for each entry in scope that matched no
// finding; and one about findings of the baseline that no longer exist.
func (s *Filter) Remarks() []string {
	var out []string
	for _, e := range s.entries {
		until := e.Until.Format(time.DateOnly)
		switch {
		case e.expired && e.used > 0:
			out = append(out, fmt.Sprintf("%s: expired on %s: %s counted again", e.Where, until, findings(e.used)))
		case e.expired:
			out = append(out, fmt.Sprintf("%s: expired on %s", e.Where, until))
		case e.used == 0 && s.covers(e):
			out = append(out, fmt.Sprintf("%s: this entry ignores no findings", e.Where))
		}
	}
	if gone := s.baseline.gone(s.checked); gone > 0 {
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

// covers reports whether this audit included the scope of the entry: the rules, and the files, without failures. An
// entry without a path applies to the audited folder, if there is one.
func (s *Filter) covers(e *entry) bool {
	switch {
	case e.unsure, len(e.rules) == 0 && len(s.checked) < len(audit.Rules()):
		return false
	case slices.ContainsFunc(e.rules, func(id string) bool { return !s.checked[id] }):
		return false
	case e.Path == "":
		return s.folder
	case e.seen && !e.pattern:
		return true
	}
	for in := range s.inputs {
		if in == "." || in == e.stem || strings.HasPrefix(e.stem, in+"/") {
			return true
		}
		if !filepath.IsAbs(in) || filepath.IsAbs(e.stem) || strings.HasPrefix(e.stem, "/") { // also without a drive
			continue
		}
		if _, around := report.Relative(s.opt.Root, in); around { // the root is in this folder
			return true
		}
	}
	return false
}
