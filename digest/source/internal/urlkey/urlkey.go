// Package urlkey converts URLs to forms for comparison and look-up.
package urlkey

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"path"
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
	k := string(canon.PDF2.Append(nil, []byte(Escaped(url))))
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

// Escaped returns a URL with escapes for invalid octets. Programs differ in the octets that they escape.
func Escaped(url string) string {
	b := make([]byte, 0, len(url))
	for _, c := range []byte(url) {
		if c > ' ' && c < 0x7f && strings.IndexByte("\"<>\\^`{|}", c) < 0 {
			b = append(b, c)
		} else {
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return string(b)
}

// Resolve returns the absolute URL of the reference ref in a document at base.
func Resolve(base, ref string) string {
	return string(canon.PDF2.Resolve(nil, []byte(base), []byte(ref)))
}

// Alike returns the common form of URLs that most servers and programs treat as equal: it ignores differences between
// http and https, escapes, repeated slashes and a slash at the end of the path, an empty query, and the URL under which
// a web archive replays the capture. It is a key, and not a URL. URLs that are equal in canonical form are alike.
func Alike(url string) string {
	if original, _, ok := Replayed(url); ok {
		url = original
	}
	k := Of(url)
	scheme, rest, ok := strings.Cut(k, "://")
	if !ok {
		return k
	}
	if scheme == "https" {
		scheme = "http"
	}
	authority, target, _ := strings.Cut(rest, "/")
	name, query, _ := strings.Cut(target, "?")
	k = scheme + "://" + authority + path.Clean("/"+decoded(name))
	if query != "" {
		k += "?" + decoded(query)
	}
	return k
}

func decoded(s string) string { return string(canon.Decode(nil, []byte(s))) }

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
