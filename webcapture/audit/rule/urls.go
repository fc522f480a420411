package rule

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

// Base makes relative URLs absolute.
type Base struct {
	URL     string         // absolute URL; empty if there is none
	Profile *canon.Profile // nil for canon.PDF
}

// Key returns the canonical form of a URL, which may be stored as text. It resolves a relative URL. The result is false
// if the form is still relative.
func (b Base) Key(url []byte) (key nametree.Key, ok bool) {
	url, _ = PlainURL(url)
	profile := b.Profile
	if profile == nil {
		profile = canon.PDF
	}
	url = profile.Resolve(nil, []byte(b.URL), url)
	return nametree.Key(url), isAbsolute(url)
}

// IsRelative reports whether a URL, which may be stored as text, is relative.
func IsRelative(url []byte) bool {
	url, _ = PlainURL(url)
	return !isAbsolute(url)
}

func isAbsolute(url []byte) bool { return canon.Split(url).Absolute() }

// EmptyPath reports whether u is an absolute http, https or ftp URL with a host and an empty path.
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

// Forms returns the possible keys of a URL: its canonical forms by both editions, and these with "/" in place of an
// empty path. Acrobat writes the "/", although 14.10.3.2 does not.
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

// withSlash returns an absolute http, https, or ftp URL that has an empty path with the path "/"; nil for any other
// URL.
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

// Accepts reports whether key, or one of its forms, equals a form of one of the set's URLs; see Forms.
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

// SourceURLs yields the URLs in the sources of a content set. It skips empty strings, which have a rule of their own.
func (s *Set) SourceURLs(yield func(webcapture.Role, []byte) bool) {
	for i := range s.Sources {
		for role, url := range s.Sources[i].URLs() {
			if len(url) > 0 && !yield(role, url) {
				return
			}
		}
	}
}

// KeyWork returns the cost of canonicalizing a URL, for Spend.
func KeyWork[T ~string | ~[]byte](url T) int64 { return 2*meter.Object + 8*int64(len(url)) }

// URLWork returns the cost of canonicalizing the URLs of a content set, for Spend.
func (s *Set) URLWork() int64 {
	n := int64(0)
	for _, url := range s.SourceURLs {
		n += KeyWork(url)
	}
	return n
}

// PlainURL decodes a URL that a tool took for text, and wrote as UTF-8 or UTF-16 with a byte order mark, or as UTF-16
// without one. It returns any other URL unchanged, with false. Characters that are not ASCII are percent-encoded (RFC
// 3987, 3.1). UTF-16 without a mark is recognized because every other byte is 0, and no URL contains a byte 0.
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

// percentEncoded returns text with all bytes outside ASCII percent-encoded.
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

// isWide reports whether every other byte of b, starting at index zero, is 0, and no other byte is.
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

// NotASCII returns the index of the first byte of a URL outside ASCII; -1 if there is none.
func NotASCII(url []byte) int {
	for i, c := range url {
		if c >= 0x80 {
			return i
		}
	}
	return -1
}
