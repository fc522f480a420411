package report

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Fingerprints returns a fingerprint of each finding of a record, which identifies it in later results. A
// fingerprint depends on the rule, the path below base, and the parts of the place that do not depend on object
// numbers: mainly the key and the identifier of the content set. The fingerprints of a record differ from each
// other. Otherwise equal findings are numbered, ignored ones first, so the others keep their fingerprints when
// findings become ignored.
//
// base is that of Options; directory is that of the Head of the results.
func Fingerprints(r *Record, base, directory string) []string {
	return FingerprintsAt(r, FingerprintPath(r.Path, base, directory))
}

// FingerprintsAt is Fingerprints for a file that had another path, which is a result of FingerprintPath.
func FingerprintsAt(r *Record, path string) []string {
	findings, _ := fingerprints(r, path)
	return findings
}

// FingerprintPath returns the path of an input as used in fingerprints: relative to base if it is below that,
// otherwise absolute, with slashes. A relative path is relative to directory, that of the Head of the results.
func FingerprintPath(path, base, directory string) string {
	relative, _ := Relative(inDirectory(path, directory, base), base)
	return relative
}

// fingerprints is Fingerprints including ignored findings.
func fingerprints(r *Record, path string) (findings, ignored []string) {
	if r.Report == nil {
		return nil, nil
	}
	p := fingerprinter{path: path, count: make(map[sum]uint64)}
	ignored = make([]string, len(r.Ignored))
	for i := range r.Ignored {
		ignored[i] = p.fingerprint(&r.Ignored[i].Finding)
	}
	findings = make([]string, r.Report.Findings.Len())
	for i, f := range r.Report.Findings.All() {
		findings[i] = p.fingerprint(&f)
	}
	return findings, ignored
}

// A sum is the beginning of a SHA-256. A fingerprint is its hexadecimal form.
type sum [16]byte

func (s sum) String() string { return hex.EncodeToString(s[:]) }

func sumOf(b []byte) sum {
	whole := sha256.Sum256(b)
	return sum(whole[:len(sum{})])
}

// A fingerprinter computes the fingerprints of one record.
type fingerprinter struct {
	path  string
	count map[sum]uint64 // counts of otherwise equal findings
	buf   []byte
}

func (p *fingerprinter) fingerprint(f *rule.Finding) string {
	at := &f.Place
	p.buf = appendParts(p.buf[:0], f.Rule.ID, at.Tree, string(at.Key), string(at.ID), at.Part, p.path)
	p.buf = binary.AppendUvarint(p.buf, uint64(at.Page))
	s := sumOf(p.buf)
	before := p.count[s]
	p.count[s]++
	if before > 0 {
		s = sumOf(binary.AppendUvarint(p.buf, before))
	}
	return s.String()
}

// fingerprint returns a fingerprint for a fact about an input that is not a finding.
func fingerprint(parts ...string) string { return sumOf(appendParts(nil, parts...)).String() }

// appendParts appends parts in an unambiguous form.
func appendParts(buf []byte, parts ...string) []byte {
	for _, s := range parts {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	return buf
}
