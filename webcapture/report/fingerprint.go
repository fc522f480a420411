package report

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Fingerprints returns a fingerprint of each finding of a record, by which it is
// recognized in the results of another day. It is made of the rule, the path below
// base, and of the place what stays the same in a copy of the file in which objects
// have other numbers: above all its key and the identifier of its content set.
// The fingerprints of a record differ from each other. Findings that nothing else
// distinguishes are numbered, those that are ignored first: so the others keep their
// fingerprints when known ones come to be ignored.
//
// Base is that of Options; directory is that of the Head of the results.
func Fingerprints(r *Record, base, directory string) []string {
	return FingerprintsAt(r, FingerprintPath(r.Path, base, directory))
}

// FingerprintsAt is Fingerprints for a file that had another path, as FingerprintPath returns it.
func FingerprintsAt(r *Record, path string) []string {
	findings, _ := fingerprints(r, path)
	return findings
}

// FingerprintPath returns the path of an input as it is in fingerprints: relative to
// base if it is below that, else absolute, with slashes. A relative path is relative
// to directory, that of the Head of the results.
func FingerprintPath(path, base, directory string) string {
	relative, _ := Relative(inDirectory(path, directory, base), base)
	return relative
}

// fingerprints is Fingerprints with those of what is ignored.
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

// A sum is the beginning of a SHA-256. A fingerprint is its hexadecimal digits.
type sum [16]byte

func (s sum) String() string { return hex.EncodeToString(s[:]) }

func sumOf(b []byte) sum {
	whole := sha256.Sum256(b)
	return sum(whole[:len(sum{})])
}

// A fingerprinter makes the fingerprints of one record.
type fingerprinter struct {
	path  string
	count map[sum]uint64 // of findings that nothing distinguishes
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

// fingerprint returns that of something about an input that is not a finding.
func fingerprint(parts ...string) string { return sumOf(appendParts(nil, parts...)).String() }

// appendParts appends parts so that no other parts give the same bytes.
func appendParts(buf []byte, parts ...string) []byte {
	for _, s := range parts {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	return buf
}
