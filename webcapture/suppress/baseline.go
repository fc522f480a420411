package suppress

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// InBaseline is the reason of findings that a baseline ignores.
const InBaseline = "in the baseline"

// A Baseline holds the findings of an earlier audit.
type Baseline struct {
	known map[string]knownFinding // by fingerprint
	files map[string]bool         // by path in fingerprints
	bytes map[string][]string     // paths in fingerprints, by SHA-256
}

// A knownFinding is a finding of a baseline.
type knownFinding struct {
	rule *rule.Rule
	path string // relative to the base of the fingerprints
}

// ReadBaseline reads the results of an earlier audit, whose base is that of Options. Findings ignored there are not
// included, except those of its own baseline; so an expired entry shows. Incomplete results are accepted. The error
// is that of report.Reader.
func ReadBaseline(r io.Reader, base string) (*Baseline, error) {
	results, err := report.NewReader(r)
	if err != nil {
		return nil, err
	}
	b := &Baseline{known: map[string]knownFinding{}, files: map[string]bool{}, bytes: map[string][]string{}}
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
	if rec.Report == nil {
		return
	}
	// Findings of its own baseline are included, and counted once, so that all get the fingerprints that they would
	// have without a baseline.
	rec.Ignored = slices.DeleteFunc(rec.Ignored, func(i report.Ignored) bool {
		if i.Reason == InBaseline {
			rec.Report.Findings.Add(i.Finding)
		}
		return i.Reason == InBaseline
	})
	path := report.FingerprintPath(rec.Path, base, directory)
	b.files[path] = true
	if rec.SHA256 != "" {
		b.bytes[rec.SHA256] = append(b.bytes[rec.SHA256], path)
	}
	for i, name := range report.Fingerprints(rec, base, directory) {
		b.known[name] = knownFinding{rec.Report.Findings.Rule(i), path}
	}
}

// pathOf returns the path of a file in the baseline: its own, or for a renamed file that of the same contents. A
// copy is not a renamed file: the old path still exists, or another file has taken it.
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

// A baselineUse counts the findings of a Baseline that an audit finds again.
type baselineUse struct {
	known map[string]knownFinding
	met   map[string]bool
	whole map[string]bool // paths of completely audited files
	taken map[string]bool // paths in the baseline of renamed files
}

func (b *Baseline) use() baselineUse {
	return baselineUse{b.known, map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

func (u *baselineUse) has(fingerprint string) bool {
	_, ok := u.known[fingerprint]
	if ok {
		u.met[fingerprint] = true
	}
	return ok
}

// gone returns the number of findings that no longer exist, in completely audited files and for checked rules.
func (u *baselineUse) gone(checked map[string]bool) int {
	n := 0
	for name, k := range u.known {
		if !u.met[name] && u.whole[k.path] && checked[k.rule.ID] {
			n++
		}
	}
	return n
}
