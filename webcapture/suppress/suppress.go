// Package suppress ignores findings that users have accepted: those that match an entry of a list, and those of an
// earlier audit, the baseline. [Paths] are patterns of files to leave out of an audit.
//
//	filter, err := suppress.New(suppress.Options{Entries: entries, Root: dir})
//	…
//	filter.Apply(rec)
//
// Ignored findings move to the record's Ignored, with the reason, and do not affect the outcome. If the baseline has
// the failure of a file that could not be audited, Accepted of its record is the reason. Remarks reports expired
// entries.
package suppress

import (
	"fmt"
	"time"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// Options select the findings to ignore.
type Options struct {
	Entries  []Entry
	Root     string    // absolute path of the folder to which Entry.Path is relative
	Baseline *Baseline // nil for none

	// As in report.Fingerprints.
	Base, Directory string

	Today time.Time // date of the audit: an entry is in force until the end of its last day
}

// Filter ignores findings of one audit.
type Filter struct {
	opt     Options
	entries []*entry // in force
	expired []string // remarks about the others
	strange bool     // findings or failures are not in the baseline
	matched bool     // some are
}

// New returns a Filter. The error describes the first invalid entry, and begins with Entry.Where.
func New(opt Options) (*Filter, error) {
	s := &Filter{opt: opt}
	for _, e := range opt.Entries {
		c, err := e.compile()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Where, err)
		}
		if until := e.Until.Format(time.DateOnly); !e.Until.IsZero() && until < opt.Today.Format(time.DateOnly) {
			s.expired = append(s.expired, fmt.Sprintf("%s: expired on %s", e.Where, until))
			continue
		}
		s.entries = append(s.entries, c)
	}
	return s, nil
}

// Remarks returns a line for each expired entry, and one for a baseline that matched nothing.
func (s *Filter) Remarks() []string {
	if s.strange && !s.matched && s.opt.Baseline != nil && !s.opt.Baseline.isEmpty() {
		return append(s.expired, fmt.Sprintf("nothing is in the baseline: its paths are relative to %s", s.opt.Base))
	}
	return s.expired
}

// Apply moves the ignored findings of a record to its Ignored: first those of entries, then those of the baseline.
// The reason is that of the first matching entry in force, or InBaseline.
func (s *Filter) Apply(rec *report.Record) {
	path := relative(s.opt.Root, rec.Path)
	s.ignore(rec, func(_ int, f *rule.Finding) string {
		for _, e := range s.entries {
			if e.matches(path, f) {
				return e.Reason
			}
		}
		return ""
	})
	if s.opt.Baseline != nil {
		s.applyBaseline(rec)
	}
}

// applyBaseline ignores the findings of the baseline, after those of entries. It accepts the failure of the record if
// it is in the baseline.
func (s *Filter) applyBaseline(rec *report.Record) {
	b, path := s.opt.Baseline, report.FingerprintPath(rec.Path, s.opt.Base, s.opt.Directory)
	if f, ok := failureOf(rec, path); ok {
		s.note(b.failures[f])
		if b.failures[f] {
			rec.Accepted = InBaseline
		}
	}
	// Findings with the same data are numbered. They are numbered without ignored ones, as in the baseline.
	fingerprints := report.Fingerprints(rec, path)
	s.ignore(rec, func(i int, _ *rule.Finding) string {
		s.note(b.findings[fingerprints[i]])
		if b.findings[fingerprints[i]] {
			return InBaseline
		}
		return ""
	})
}

// note records whether a finding or failure is in the baseline.
func (s *Filter) note(isIn bool) { s.strange, s.matched = s.strange || !isIn, s.matched || isIn }

// ignore moves the findings for which reason does not return "" to Ignored. The arguments of reason are a finding and
// its index.
func (s *Filter) ignore(rec *report.Record, reason func(int, *rule.Finding) string) {
	if rec.Report == nil {
		return
	}
	rec.Report.Findings.DeleteFunc(func(i int, f rule.Finding) bool {
		why := reason(i, &f)
		if why != "" {
			rec.Ignored = append(rec.Ignored, report.Ignored{Finding: f, Reason: why})
		}
		return why != ""
	})
}
