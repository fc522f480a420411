package suppress

import (
	"io"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// InBaseline is the reason of findings that are ignored, and of failures that are accepted, because they are in a
// baseline.
const InBaseline = "in the baseline"

// Baseline holds the findings of an earlier audit, and its failures.
type Baseline struct {
	findings map[string]bool  // by fingerprint
	failures map[failure]bool // files that could not be audited completely
}

func (b *Baseline) isEmpty() bool { return len(b.findings)+len(b.failures) == 0 }

// failure is the reason why an audit could not read a file, or parts of it.
type failure struct {
	path   string // path as in fingerprints
	reason string // a line for each part
}

// failureOf returns the failure of a record. ok is false if the file was audited completely, or has nothing to audit.
func failureOf(rec *report.Record, path string) (f failure, ok bool) {
	switch {
	case rec.Outcome() == report.Partial:
		var parts []string
		for _, u := range rec.Report.Unread {
			parts = append(parts, phrase.Unread(u))
		}
		return failure{path, strings.Join(parts, "\n")}, true
	case !rec.Outcome().Audited():
		return failure{path, rec.Reason()}, true
	}
	return failure{}, false
}

// ReadBaseline reads the results of an earlier audit. base is Options.Base of that audit. Findings that were ignored
// there are left out, so that they count when their entries expire. Findings in the baseline of that audit are
// included. Incomplete results are accepted. The error is an error of report.Reader.
func ReadBaseline(r io.Reader, base string) (*Baseline, error) {
	results, err := report.NewReader(r)
	if err != nil {
		return nil, err
	}
	b := &Baseline{findings: map[string]bool{}, failures: map[failure]bool{}}
	for {
		rec, err := results.Next()
		if err == io.EOF {
			return b, nil
		}
		if err != nil {
			return nil, err
		}
		b.add(rec, base, results.Head().Directory)
	}
}

func (b *Baseline) add(rec *report.Record, base, directory string) {
	path := report.FingerprintPath(rec.Path, base, directory)
	if f, ok := failureOf(rec, path); ok {
		b.failures[f] = true
	}
	if rec.Report == nil {
		return
	}
	// Findings in the baseline of the earlier audit are included, and numbered with the others. So all have the same
	// fingerprints as without a baseline.
	rec.Ignored = slices.DeleteFunc(rec.Ignored, func(i report.Ignored) bool {
		if i.Reason == InBaseline {
			rec.Report.Findings = append(rec.Report.Findings, i.Finding)
		}
		return i.Reason == InBaseline
	})
	for _, name := range report.Fingerprints(rec, path) {
		b.findings[name] = true
	}
}

// Len returns the number of findings.
func (b *Baseline) Len() int { return len(b.findings) }
