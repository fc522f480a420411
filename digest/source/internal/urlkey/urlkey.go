// Package urlkey converts URLs to forms for comparison and look-up.
package urlkey

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"regexp"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/canon"
)

// IsRetrieved reports whether data can be retrieved from a URL, or the URL contains data itself. It is false for
// schemes such as dns: and metadata:, which are names for records about the retrieval.
func IsRetrieved(url []byte) bool {
	scheme, _, _ := bytes.Cut(url[:min(len(url), 8)], []byte(":"))
	switch string(bytes.ToLower(scheme)) {
	case "http", "https", "ftp", "file", "urn", "gopher", "data":
		return true
	}
	return false
}

// IsURL reports whether a URL has a scheme and no blanks at its ends.
func IsURL(url []byte) bool {
	return canon.Split(url).Absolute() && len(bytes.TrimSpace(url)) == len(url)
}

// Hash returns a hash of s that is the same in every run; 0 for an empty s.
func Hash[T string | []byte](s T) uint64 {
	if len(s) == 0 {
		return 0
	}
	h := fnv.New64a()
	h.Write([]byte(s))
	return max(h.Sum64(), 1)
}

// Of returns the form in which URLs are compared. It is canonical (ISO 32000-2:2020, 14.10.3.2) and further normalized,
// as programs do: an empty path becomes a slash, the default port of https is removed, and invalid characters are
// escaped.
func Of(url string) string {
	k := string(canon.PDF2.Append(nil, withEscapes(url)))
	scheme, rest, ok := strings.Cut(k, "://")
	if !ok {
		return k
	}
	authority, target := rest, "/"
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		authority, target = rest[:i], rest[i:]
	}
	if target[0] == '?' {
		target = "/" + target
	}
	if scheme == "https" {
		authority = strings.TrimSuffix(authority, ":443")
	}
	return scheme + "://" + authority + target
}

// withEscapes returns a URL with escapes for invalid octets. Programs differ in the octets that they escape.
func withEscapes(url string) []byte {
	b := make([]byte, 0, len(url))
	for _, c := range []byte(url) {
		if c > ' ' && c < 0x7f && strings.IndexByte("\"<>\\^`{|}", c) < 0 {
			b = append(b, c)
		} else {
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return b
}

// Resolve returns the absolute URL of the reference ref in a document at base.
func Resolve(base, ref string) string {
	return string(canon.PDF2.Resolve(nil, []byte(base), []byte(ref)))
}

// Alike returns the common form of URLs that most servers and programs treat as equal: it ignores differences between
// http and https, a slash at the end of the path, an empty query, needless escapes, and the URL under which a web
// archive replays the capture. URLs that are equal in canonical form are alike.
func Alike(url string) string {
	if original, _, ok := Replayed(url); ok {
		url = original
	}
	k := Of(url)
	if strings.IndexByte(k, '%') >= 0 {
		if d := withoutNeedlessEscapes(k); d != k {
			k = Of(d) // decoding may have made dot segments
		}
	}
	scheme, rest, ok := strings.Cut(k, "://")
	if !ok {
		return k
	}
	if scheme == "https" {
		scheme = "http"
	}
	authority, target, _ := strings.Cut(rest, "/")
	path, query, _ := strings.Cut(target, "?")
	k = scheme + "://" + authority + "/" + strings.TrimSuffix(path, "/")
	if query != "" {
		k += "?" + query
	}
	return k
}

// Replayed returns the original URL, and the time of the capture, in the URL under which a web archive replays a
// capture:
//
//	https://web.archive.org/web/20040407120000id_/http://www.example.com/
//
// The time has 14 digits. A flag such as id_ may follow it. Programs that normalize paths write one slash after the
// scheme.
func Replayed(url string) (original string, at time.Time, ok bool) {
	m := replay.FindStringSubmatch(url)
	if m == nil {
		return "", at, false
	}
	at, err := time.Parse("20060102150405", m[1])
	return m[2] + "://" + m[3], at, err == nil
}

// replay matches the URL of a replay: the time, and the scheme and the rest of the original URL.
var replay = regexp.MustCompile(
	`(?s)^(?i:https?)://[^/?#]+/(?:[^?#]*?/)?([0-9]{14})(?:[a-z]{2,4}_)?/+(https?|ftp):/+([^/].*)$`)

// Same returns a function that reports whether another URL is equal to url in canonical form.
func Same(url string) func(other string) bool {
	k := Of(url)
	return func(other string) bool { return Of(other) == k }
}

// withoutNeedlessEscapes returns a URL in which escapes of unreserved characters (RFC 3986, 2.3), and of those that
// scripts do not escape, are decoded. All other escapes are in upper case.
func withoutNeedlessEscapes(url string) string {
	return escapes.ReplaceAllStringFunc(url, func(escape string) string {
		c := canon.Decode(nil, []byte(escape))[0]
		if c|0x20-'a' < 26 || c-'0' < 10 || strings.IndexByte("-._~!'()*", c) >= 0 {
			return string(c)
		}
		return strings.ToUpper(escape)
	})
}

var escapes = regexp.MustCompile(`%[0-9A-Fa-f]{2}`)
