package audit

import (
	"bytes"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// emptyPath reports whether u is an absolute http, https or ftp URL with a host
// and an empty path.
func emptyPath(u canon.Parts) bool {
	if len(u.Path) > 0 || len(u.Host) == 0 || u.HasParams {
		return false
	}
	for _, scheme := range [...]string{"http", "https", "ftp"} {
		if strings.EqualFold(string(u.Scheme), scheme) {
			return true
		}
	}
	return false
}

// forms returns the keys that a URL may stand under: its canonical form by
// either edition, and the same with an empty path written as "/", which Acrobat
// does (14.10.3.2 does not).
func forms(url []byte) []string {
	var out []string
	url, _ = PlainURL(url)
	for _, p := range []*canon.Profile{canon.PDF, canon.PDF2} {
		c := p.Append(nil, url)
		out = append(out, string(c))
		if slash := withSlash(c); slash != nil {
			out = append(out, string(slash))
		}
	}
	return out
}

// withSlash returns an absolute http, https or ftp URL whose path is empty with
// "/" for a path; nil for any other.
func withSlash(url []byte) []byte {
	u := canon.Split(url)
	if !emptyPath(u) {
		return nil
	}
	var b bytes.Buffer
	at := len(url)
	if u.HasQuery {
		at -= len(u.Query) + 1
	}
	b.Write(url[:at])
	b.WriteByte('/')
	b.Write(url[at:])
	return b.Bytes()
}

// Accepts reports whether key is, or canonicalizes to, a form of one of the
// set's URLs.
func (s *Set) Accepts(key nametree.Key) bool {
	if s.accepted == nil {
		s.accepted = map[string]bool{}
		for i := range s.Sources {
			for _, url := range s.Sources[i].URLs() {
				for _, f := range forms(url) {
					s.accepted[f] = true
				}
			}
		}
	}
	if s.accepted[string(key)] {
		return true
	}
	for _, f := range forms(keyBytes(key)) {
		if s.accepted[f] {
			return true
		}
	}
	return false
}

// sources yields the strings that name the sources of a set. An empty string
// names nothing, and is reported by itself.
func (s *Set) sources(yield func(webcapture.Role, []byte) bool) {
	for i := range s.Sources {
		for role, url := range s.Sources[i].URLs() {
			if len(url) > 0 && !yield(role, url) {
				return
			}
		}
	}
}

// leadsTo says what the entries of a tree under a key are to a set.
type leadsTo uint8

const (
	nowhere   leadsTo = iota // there is no such entry
	elsewhere                // there is, and the set is not in its value
	here
)

// find says where the entries under the first of the keys that there is lead,
// and which they are.
func (p *Pass) find(t *webcapture.Tree, keys []string, set object.Ref) (found leadsTo, entries []int) {
	for _, k := range keys {
		n := 0
		for i := range t.All(nametree.Key(k)) {
			if n++; n > maxSame {
				break
			}
			found = max(found, elsewhere)
			entries = append(entries, i)
			for o := range p.Reader.Values(t.Entry(i).Value) { // what cannot be read is reported where the entry is visited
				if !p.spend(elementCost) {
					break
				}
				if ref, ok := o.Ref(); ok && ref == set && set.Num != 0 {
					return here, entries
				}
			}
		}
	}
	return found, entries
}
