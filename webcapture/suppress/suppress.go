// Package suppress ignores findings that users have accepted: those that match an entry of a list, and those of an
// earlier audit, the baseline. [Paths] are patterns of files to leave out of an audit.
//
//	filter, err := suppress.New(suppress.Options{Entries: entries, Root: dir})
//	…
//	filter.Apply(rec)
//	…
//	for _, remark := range filter.Remarks() {
//
// Ignored findings move to the record's Ignored, with the reason, and do not affect the outcome. If the baseline has
// the failure of a file that could not be audited, Accepted of its record is the reason. Remarks reports entries that
// match nothing, and expired entries.
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

// Options select the findings to ignore, and describe the scope of the audit. Entries outside of the scope are not
// reported as matching nothing.
type Options struct {
	Entries  []Entry
	Root     string    // absolute path of the folder to which Entry.Path is relative
	Baseline *Baseline // nil for none

	// As in report.Fingerprints.
	Base, Directory string

	Today  time.Time    // date of the audit: an entry is in force until the end of its last day
	Rules  []*rule.Rule // checked rules
	Inputs []string     // audited files and folders
}

// Filter ignores findings of one audit.
type Filter struct {
	opt     Options
	entries []*entry
	checked map[string]bool // IDs of checked rules
	inputs  map[string]bool // audited files and folders, relative to Root
	folder  bool            // a folder with files was audited
	named   bool            // some entry has a fingerprint

	// What this audit finds again of the baseline.
	met   map[string]bool // fingerprints of findings
	whole map[string]bool // paths of completely audited files
	taken map[string]bool // old paths of renamed files
}

// New returns a Filter. The error describes the first invalid entry, and begins with Entry.Where.
func New(opt Options) (*Filter, error) {
	s := &Filter{opt: opt, checked: map[string]bool{}, inputs: map[string]bool{},
		met: map[string]bool{}, whole: map[string]bool{}, taken: map[string]bool{}}
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
	return s, nil
}

// Apply moves the ignored findings of a record to its Ignored: first those of entries, then those of the baseline.
// The reason is that of the first matching entry in force, or InBaseline.
func (s *Filter) Apply(rec *report.Record) {
	path := relative(s.opt.Root, rec.Path)
	var applicable []*entry // entries that may match findings of this record
	for _, e := range s.entries {
		if e.matchesPath(path) {
			applicable = append(applicable, e)
			e.seen = true
			e.unsure = e.unsure || rec.Report == nil || len(rec.Report.Unread) > 0
		}
	}
	known := s.inBaseline(rec)
	if rec.Report == nil {
		return
	}
	s.folder = s.folder || !s.inputs[path]
	s.ignore(rec, func(_ int, f *rule.Finding) string {
		return reason(applicable, f, s.fingerprint(rec.Path, f))
	})
	if s.opt.Baseline != nil {
		s.applyBaseline(rec, known)
	}
	// Findings that match an expired entry remain, but are counted for it.
	for _, e := range applicable {
		for _, f := range rec.Report.Findings {
			if e.expired && e.names(&f, s.fingerprint(rec.Path, &f)) {
				e.used++
			}
		}
	}
}

// inBaseline returns the path of the file of a record in the baseline. It accepts the failure of the record if it is
// in the baseline.
func (s *Filter) inBaseline(rec *report.Record) string {
	b := s.opt.Baseline
	if b == nil {
		return ""
	}
	path := report.FingerprintPath(rec.Path, s.opt.Base, s.opt.Directory)
	path = b.pathOf(path, rec.SHA256, s.opt.Base, s.taken)
	if f, ok := failureOf(rec, path); ok && b.fails[f] {
		rec.Accepted = InBaseline
	}
	return path
}

// applyBaseline ignores the findings of the baseline, after those of entries. path is the path of the file there.
func (s *Filter) applyBaseline(rec *report.Record, path string) {
	// Findings with the same data are numbered. They are numbered without ignored ones, as in the baseline.
	fingerprints := report.Fingerprints(rec, path)
	s.ignore(rec, func(i int, _ *rule.Finding) string {
		if _, known := s.opt.Baseline.known[fingerprints[i]]; !known {
			return ""
		}
		s.met[fingerprints[i]] = true
		return InBaseline
	})
	if len(rec.Report.Unread) == 0 {
		s.whole[path] = true
	}
}

// ignore moves the findings for which reason does not return "" to Ignored. The arguments of reason are a finding and
// its index.
func (s *Filter) ignore(rec *report.Record, reason func(int, *rule.Finding) string) {
	rec.Report.Findings.DeleteFunc(func(i int, f rule.Finding) bool {
		why := reason(i, &f)
		if why != "" {
			rec.Ignored = append(rec.Ignored, report.Ignored{Finding: f, Reason: why})
		}
		return why != ""
	})
}

// fingerprint returns the fingerprint of a finding without its number; "" if no entry has a fingerprint. So an entry
// with a fingerprint selects all findings that differ only in their numbers.
func (s *Filter) fingerprint(path string, f *rule.Finding) string {
	if !s.named {
		return ""
	}
	alone := report.Record{Report: &audit.Report{Findings: rule.Findings{*f}}}
	return report.Fingerprints(&alone, report.FingerprintPath(path, s.opt.Base, s.opt.Directory))[0]
}

// reason returns the reason of the first entry in force that matches the finding; "" if there is none. All matching
// entries count as used.
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

// Remarks returns remarks about the whole audit, one per line. Callers call it after the last record. It reports each
// expired entry, each entry in scope that matched no finding, and the number of findings in the baseline that no longer
// exist.
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
	if s.opt.Baseline == nil {
		return out
	}
	if gone := s.gone(); gone > 0 {
		out = append(out, fmt.Sprintf("baseline: %s gone", findings(gone)))
	}
	return out
}

// findings returns n with the noun and verb.
func findings(n int) string {
	if n == 1 {
		return "1 finding is"
	}
	return fmt.Sprintf("%d findings are", n)
}

// covers reports whether this audit completely included the scope of an entry: its rules and files. An entry without a
// path is covered if a folder was audited.
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
		if !filepath.IsAbs(in) || filepath.IsAbs(e.stem) || strings.HasPrefix(e.stem, "/") { // even without a drive
			continue
		}
		if _, around := report.Relative(s.opt.Root, in); around { // the folder in contains the root
			return true
		}
	}
	return false
}
