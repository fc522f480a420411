package suppress

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/internal/phrase"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// InBaseline is the reason of findings that are ignored, and of failures that are accepted, because they are in a
// baseline.
const InBaseline = "in the baseline"

// Baseline holds the findings of an earlier audit, and its failures.
type Baseline struct {
	known map[string]knownFinding // findings by fingerprint
	fails map[failure]bool        // files that could not be audited completely
	files map[string]bool         // files, by path as in fingerprints
	bytes map[string][]string     // paths as in fingerprints, by SHA-256
}

// knownFinding is a finding in a baseline.
type knownFinding struct {
	rule *rule.Rule
	path string // path as in fingerprints
}

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
	b := &Baseline{known: map[string]knownFinding{}, fails: map[failure]bool{}, files: map[string]bool{},
		bytes: map[string][]string{}}
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
	b.files[path] = true
	if rec.SHA256 != "" {
		b.bytes[rec.SHA256] = append(b.bytes[rec.SHA256], path)
	}
	if f, ok := failureOf(rec, path); ok {
		b.fails[f] = true
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
	for i, name := range report.Fingerprints(rec, path) {
		b.known[name] = knownFinding{rec.Report.Findings[i].Rule, path}
	}
}

// pathOf returns the path of a file in the baseline. For a renamed file, it returns the path of a file with the same
// contents. A file is not renamed, but a copy, if the old path still exists, or if another file has already taken it.
func (b *Baseline) pathOf(path, sha256, base string, taken map[string]bool) string {
	if b.files[path] {
		return path
	}
	for _, before := range b.bytes[sha256] {
		file, _, _ := strings.Cut(before, "!")
		if !filepath.IsAbs(file) {
			file = filepath.Join(base, file)
		}
		if _, err := os.Lstat(file); err != nil && !taken[before] {
			taken[before] = true
			return before
		}
	}
	return path
}

// Len returns the number of findings.
func (b *Baseline) Len() int { return len(b.known) }

// gone returns the number of findings of the baseline that no longer exist. It counts only completely audited files and
// checked rules.
func (s *Filter) gone() int {
	n := 0
	for name, k := range s.opt.Baseline.known {
		if !s.met[name] && s.whole[k.path] && s.checked[k.rule.ID] {
			n++
		}
	}
	return n
}
