package rule

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

// EmptyPath reports whether u is an absolute http, https or ftp URL with a host
// and an empty path.
func EmptyPath(u canon.Parts) bool {
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

// Forms returns the keys that a URL may stand under: its canonical form by
// either edition, and the same with an empty path written as "/", which Acrobat
// does (14.10.3.2 does not).
func Forms(url []byte) []string {
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
	if !EmptyPath(u) {
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
				for _, f := range Forms(url) {
					s.accepted[f] = true
				}
			}
		}
	}
	if s.accepted[string(key)] {
		return true
	}
	for _, f := range Forms(KeyBytes(key)) {
		if s.accepted[f] {
			return true
		}
	}
	return false
}

// sources yields the strings that name the sources of a set. An empty string
// names nothing, and is reported by itself.
func (s *Set) SourceURLs(yield func(webcapture.Role, []byte) bool) {
	for i := range s.Sources {
		for role, url := range s.Sources[i].URLs() {
			if len(url) > 0 && !yield(role, url) {
				return
			}
		}
	}
}

// URLWork is what it costs to reduce the URLs of a set.
func (s *Set) URLWork() int64 {
	n := int64(0)
	for _, url := range s.SourceURLs {
		n += URLCost + 8*int64(len(url))
	}
	return n
}

// PlainURL returns the URL that is meant by one that a tool took for text, and wrote as UTF-8
// or UTF-16 with a byte order mark, or as UTF-16 without one; otherwise the URL and false.
// Characters of the text that are not ASCII are percent-encoded (RFC 3987, 3.1). No URL has
// a byte 0, which every other byte is in UTF-16 that holds one.
func PlainURL(url []byte) (plain []byte, ok bool) {
	if len(url) < 2 || url[0] < 0xef && url[0] != 0 && url[1] != 0 {
		return url, false
	}
	little := bytes.HasPrefix(url, []byte("\xff\xfe"))
	switch {
	case bytes.HasPrefix(url, []byte("\xef\xbb\xbf")):
		return percentEncoded(url[3:]), true
	case little, bytes.HasPrefix(url, []byte("\xfe\xff")):
		return percentEncoded([]byte(UTF16(url[2:], little))), true
	case isWide(url, 1):
		return percentEncoded([]byte(UTF16(url, true))), true
	case isWide(url, 0):
		return percentEncoded([]byte(UTF16(url, false))), true
	}
	return url, false
}

// percentEncoded returns text with the bytes percent-encoded that are not ASCII.
func percentEncoded(text []byte) []byte {
	if NotASCII(text) < 0 {
		return text
	}
	var out []byte
	for _, c := range text {
		if c < 0x80 {
			out = append(out, c)
		} else {
			out = fmt.Appendf(out, "%%%02X", c)
		}
	}
	return out
}

// isWide reports whether every other byte of b, from zero on, is 0, and no other is.
func isWide(b []byte, zero int) bool {
	if len(b)%2 != 0 {
		return false
	}
	for i, c := range b {
		if (c == 0) != (i%2 == zero) {
			return false
		}
	}
	return true
}

// NotASCII returns the position of the first byte of a URL that is not in
// ASCII; -1 if there is none.
func NotASCII(url []byte) int {
	for i, c := range url {
		if c >= 0x80 {
			return i
		}
	}
	return -1
}
