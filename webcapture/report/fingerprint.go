package report

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Fingerprints returns a fingerprint for each finding of a record, which identifies the finding in later results. A
// fingerprint depends on the rule, the path, which is a result of FingerprintPath, and the parts of the place that do
// not depend on object numbers: mainly the key, and the identifier of the content set. All fingerprints of a record are
// different: findings that are otherwise equal are numbered, ignored ones first. So the others keep their fingerprints
// when some become ignored.
func Fingerprints(r *Record, path string) []string {
	findings, _ := fingerprints(r, path)
	return findings
}

// FingerprintPath returns the path of an input for fingerprints, with slashes. It is relative to base, which is
// Options.Base, if the file is below base, otherwise absolute. If the argument path is relative, it is relative to
// directory, which is Head.Directory of the results.
func FingerprintPath(path, base, directory string) string {
	relative, _ := Relative(inDirectory(path, directory, base), base)
	return relative
}

// fingerprints returns the fingerprints of findings and of ignored findings.
func fingerprints(r *Record, path string) (findings, ignored []string) {
	if r.Report == nil {
		return nil, nil
	}
	p := fingerprinter{path: path, count: make(map[string]uint64)}
	ignored = make([]string, len(r.Ignored))
	for i := range r.Ignored {
		ignored[i] = p.fingerprint(&r.Ignored[i].Finding)
	}
	findings = make([]string, len(r.Report.Findings))
	for i, f := range r.Report.Findings {
		findings[i] = p.fingerprint(&f)
	}
	return findings, ignored
}

// digestOf returns the first half of the SHA-256 in hexadecimal.
func digestOf(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:len(sum)/2])
}

// A fingerprinter computes the fingerprints of one record.
type fingerprinter struct {
	path  string
	count map[string]uint64 // number of otherwise equal findings
	buf   []byte
}

func (p *fingerprinter) fingerprint(f *rule.Finding) string {
	at := &f.Place
	p.buf = appendParts(p.buf[:0], f.Rule.ID, at.Tree, string(at.Key), string(at.ID), at.Part, p.path)
	p.buf = binary.AppendUvarint(p.buf, uint64(at.Page))
	s := digestOf(p.buf)
	before := p.count[s]
	p.count[s]++
	if before > 0 {
		s = digestOf(binary.AppendUvarint(p.buf, before))
	}
	return s
}

// appendParts appends parts so that different parts give different bytes.
func appendParts(buf []byte, parts ...string) []byte {
	for _, s := range parts {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	return buf
}
