package report

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"path"
	"path/filepath"
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit"
)

// Fingerprints returns a name for each finding of a record, by which it is known
// again in the results of another day: made of the rule, the path below base, and
// of the place what is the same in a copy of the file in which objects have other
// numbers, its key and the identifier of its content set before all. The names of
// a record differ from each other. Where a record has several findings that
// nothing else tells apart, they are counted, those that are ignored first: so
// the others keep their names when those that are known go there.
//
// Base is that of Options; directory is that of the Head of the results.
func Fingerprints(r *Record, base, directory string) []string {
	names, _ := fingerprints(r, base, directory)
	return names
}

// Seen returns the path of an input as it is in fingerprints: relative to base if
// it is below that, else absolute, with slashes. A relative path is relative to
// directory, that of the Head of the results.
func Seen(path, base, directory string) string {
	seen, _ := Below(within(directory, path, base), base)
	return seen
}

// fingerprints is Fingerprints with the names of what is ignored.
func fingerprints(r *Record, base, directory string) (findings, ignored []string) {
	if r.Report == nil {
		return nil, nil
	}
	n := namer{seen: make(map[[nameSize]byte]uint64)}
	n.path = Seen(r.Path, base, directory)
	ignored = make([]string, len(r.Ignored))
	for i := range r.Ignored {
		ignored[i] = n.name(&r.Ignored[i].Finding)
	}
	findings = make([]string, len(r.Report.Findings))
	for i := range r.Report.Findings {
		findings[i] = n.name(&r.Report.Findings[i])
	}
	return findings, ignored
}

const nameSize = 16 // bytes of a fingerprint, of which there are as many twice as many hexadecimal digits

// A namer gives the findings of one record their names.
type namer struct {
	path string
	seen map[[nameSize]byte]uint64 // how often, before findings are counted
	buf  []byte
}

func (n *namer) name(f *audit.Finding) string {
	at := &f.Place
	n.buf = digestible(n.buf[:0], f.Rule.ID, at.Tree, string(at.Key), string(at.ID), at.Part, n.path)
	n.buf = binary.AppendUvarint(n.buf, uint64(at.Page))
	name := shortSum(n.buf)
	before := n.seen[name]
	n.seen[name]++
	if before > 0 {
		name = shortSum(binary.AppendUvarint(n.buf, before))
	}
	return hex.EncodeToString(name[:])
}

// fingerprintOf names something about an input that is not a finding.
func fingerprintOf(parts ...string) string {
	name := shortSum(digestible(nil, parts...))
	return hex.EncodeToString(name[:])
}

// digestible appends parts so that no other parts give the same bytes.
func digestible(buf []byte, parts ...string) []byte {
	for _, s := range parts {
		buf = binary.AppendUvarint(buf, uint64(len(s)))
		buf = append(buf, s...)
	}
	return buf
}

func shortSum(b []byte) (name [nameSize]byte) {
	sum := sha256.Sum256(b)
	copy(name[:], sum[:])
	return name
}

// within returns a path of an input as it is named from the base.
func (o *Options) within(name string) string { return within(o.Directory, name, o.Base) }

func within(directory, name, base string) string {
	if directory == "" || strings.HasPrefix(name, "/") || ofWindows(name, base) && hasDrive(name) {
		return name
	}
	return directory + "/" + name
}

// ofWindows reports whether a path is one of Windows. The base tells; elsewhere C:
// and backslashes are parts of names.
func ofWindows(name, base string) bool {
	return hasDrive(base) || base == "" && (filepath.Separator == '\\' || hasDrive(name))
}

// Below returns the path by which a file is seen from base, an absolute path: with
// slashes, and without dots, however it is spelled. ok is false for a file that is
// not below base; its path is absolute. A relative path is relative to base, and
// without a base to the root of all.
func Below(name, base string) (seen string, ok bool) {
	windows := ofWindows(name, base)
	if windows {
		name, base = strings.ReplaceAll(name, `\`, "/"), strings.ReplaceAll(base, `\`, "/")
	}
	absolute := strings.HasPrefix(name, "/") || windows && hasDrive(name)
	anywhere := base == ""
	base = strings.TrimSuffix(base, "/")
	if !absolute {
		name = base + "/" + name
	}
	share := windows && strings.HasPrefix(name, "//")
	switch name = path.Clean(name); {
	case share:
		name = "/" + name
	case windows && len(name) == len("C:"):
		name += "/" // the root of a drive keeps it
	}
	if absolute && anywhere || len(name) < len(base) {
		return name, false
	}
	start, rest := name[:len(base)], name[len(base):]
	switch {
	case start != base && !(windows && strings.EqualFold(start, base)):
	case rest == "" || rest == "/":
		return ".", true
	case rest[0] == '/':
		return rest[1:], true
	}
	return name, false
}

// hasDrive reports whether a path is one of Windows that begins with a drive or a share.
func hasDrive(p string) bool {
	if strings.HasPrefix(p, `\\`) {
		return true
	}
	return len(p) >= 3 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') && (p[0]|0x20 >= 'a' && p[0]|0x20 <= 'z')
}
