// Package urlkey converts URLs to forms for comparison and look-up.
package urlkey

import (
	"bytes"
	"cmp"
	"fmt"
	"hash/fnv"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/webcap-tools/webcap/canon"
	"golang.org/x/net/idna"
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

// IsOfServer reports whether a URL has a scheme for requests to servers. A metadata record with such a URL describes
// the retrieval.
func IsOfServer(url []byte) bool {
	scheme, _, _ := bytes.Cut(url[:min(len(url), 8)], []byte(":"))
	switch string(bytes.ToLower(scheme)) {
	case "http", "https", "ftp":
		return true
	}
	return false
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
	if scheme, id, _ := strings.Cut(url, ":"); strings.EqualFold(scheme, "cid") { // with escapes (RFC 2392)
		url = "cid:" + string(canon.Decode(nil, []byte(id)))
	}
	k := canon.PDF2.Append(nil, withEscapes(url))
	start := bytes.Index(k, []byte("://"))
	if start < 0 {
		return string(k)
	}
	start += len("://")
	end := len(k)
	if i := bytes.IndexAny(k[start:], "/?"); i >= 0 {
		end = start + i
	}
	if port := []byte(":443"); string(k[:start]) == "https://" && bytes.HasSuffix(k[:end], port) {
		k = slices.Delete(k, end-len(port), end)
		end -= len(port)
	}
	if end == len(k) || k[end] == '?' {
		k = slices.Insert(k, end, '/')
	}
	return string(k)
}

// withEscapes returns a URL with escapes for invalid octets. Programs differ in the octets that they escape.
func withEscapes(url string) []byte {
	b := make([]byte, 0, len(url))
	for _, c := range []byte(url) {
		if plainURL(rune(c)) {
			b = append(b, c)
		} else {
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return b
}

func plainURL(r rune) bool {
	return r > ' ' && r < 0x7f && !strings.ContainsRune("\"<>\\^`{|}", r)
}

// Resolve returns the absolute URL of the reference ref in a document at base.
func Resolve(base, ref string) string {
	return string(canon.PDF2.Resolve(nil, []byte(base), []byte(ref)))
}

// Alike returns the common form of URLs that most servers and programs treat as equal. URLs that are equal in canonical
// form are alike. These differences are ignored:
//
//   - http or https
//   - a slash at the end of the path
//   - an empty query
//   - a host in Unicode or in Punycode, and a dot at the end of the host
//   - escapes or plain octets, and the case of escapes, except for reserved characters other than "!'()*"
//   - the URL under which a web archive replays the capture (see Replayed)
//
// Octets that are not UTF-8 count as ISO 8859-1.
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
	k = scheme + "://" + withoutRootDot(punycode(authority)) + "/" + strings.TrimSuffix(path, "/")
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
// The time has 14 digits. A flag such as id_ may follow it; then the original URL may lack its scheme. Programs that
// normalize paths write one slash after the scheme.
func Replayed(url string) (original string, at time.Time, ok bool) {
	scheme, rest, _ := strings.Cut(url, "://")
	if !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return "", at, false
	}
	_, rest, more := strings.Cut(rest, "/")
	for more {
		var segment string
		segment, rest, more = strings.Cut(rest, "/")
		if strings.ContainsAny(segment, "?#") {
			break
		}
		if len(segment) < len(replayTime) {
			continue
		}
		at, err := time.Parse(replayTime, segment[:len(replayTime)])
		flag := segment[len(replayTime):]
		if err != nil || flag != "" && !replayFlag.MatchString(flag) {
			continue
		}
		if original, ok := withScheme(strings.TrimLeft(rest, "/"), flag != ""); ok {
			return original, at, true
		}
	}
	return "", at, false
}

const replayTime = "20060102150405"

var replayFlag = regexp.MustCompile(`^[a-z]{2,4}_$`)

// withScheme returns a URL with two slashes after its scheme. If assume is true, a URL without a scheme is one of http.
func withScheme(url string, assume bool) (string, bool) {
	for _, scheme := range []string{"http", "https", "ftp"} {
		if rest, ok := strings.CutPrefix(url, scheme+":/"); ok {
			return scheme + "://" + strings.TrimLeft(rest, "/"), true
		}
	}
	return "http://" + url, assume && url != ""
}

// withoutRootDot returns an authority without the dot at the end of the host. In DNS, a host with this dot is the same.
func withoutRootDot(authority string) string {
	return withHost(authority, func(host string) (string, error) {
		return cmp.Or(strings.TrimSuffix(host, "."), host), nil
	})
}

// Same returns a function that reports whether another URL is equal to url in canonical form.
func Same(url string) func(other string) bool {
	k := Of(url)
	return func(other string) bool { return Of(other) == k }
}

// withoutNeedlessEscapes returns a URL in which escapes of unreserved characters (RFC 3986, 2.3) are decoded. All other
// escapes are in upper case. Octets from 80 on are converted to UTF-8 and escaped.
func withoutNeedlessEscapes(url string) string {
	var b, high []byte
	flush := func() {
		b = append(b, withEscapes(asUTF8(high))...)
		high = nil
	}
	for i := 0; i < len(url); i++ {
		if url[i] != '%' || i+2 >= len(url) {
			flush()
			b = append(b, url[i])
			continue
		}
		escape := url[i : i+3]
		c := canon.Decode(nil, []byte(escape))
		switch {
		case len(c) != 1: // not an escape
			flush()
			b = append(b, '%')
			continue
		case c[0] >= 0x80:
			high = append(high, c[0])
		case unreserved(c[0]) || strings.IndexByte("!'()*", c[0]) >= 0: // scripts do not escape "!'()*"
			flush()
			b = append(b, c[0])
		default:
			flush()
			b = append(b, strings.ToUpper(escape)...)
		}
		i += 2
	}
	flush()
	return string(b)
}

// asUTF8 returns text in UTF-8. Octets that are not UTF-8 are converted from ISO 8859-1.
func asUTF8(text []byte) string {
	if utf8.Valid(text) {
		return string(text)
	}
	var b []byte
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if r == utf8.RuneError && n == 1 {
			r = rune(text[0])
		}
		b, text = utf8.AppendRune(b, r), text[n:]
	}
	return string(b)
}

func unreserved(c byte) bool {
	return c|0x20-'a' < 26 || c-'0' < 10 || strings.IndexByte("-._~", c) >= 0
}

// punycode returns an authority with the host in Punycode (RFC 5891), if the host has escapes, as withEscapes writes
// Unicode.
func punycode(authority string) string {
	if strings.IndexByte(authority, '%') < 0 {
		return authority
	}
	return withHost(authority, func(host string) (string, error) {
		return idna.Lookup.ToASCII(string(canon.Decode(nil, []byte(host))))
	})
}

// withHost returns an authority whose host is converted by the function of. If of fails, the authority is unchanged.
func withHost(authority string, of func(string) (string, error)) string {
	start := strings.LastIndexByte(authority, '@') + 1
	host, port := authority[start:], ""
	if i := strings.LastIndexByte(host, ':'); i > strings.LastIndexByte(host, ']') {
		host, port = host[:i], host[i:]
	}
	other, err := of(host)
	if err != nil {
		return authority
	}
	return authority[:start] + other + port
}

// Escaped returns the path of a file as the path of a URL, with escapes.
func Escaped(path string) string {
	var b []byte
	for i, segment := range strings.Split(path, "/") {
		if i > 0 {
			b = append(b, '/')
		}
		b = canon.EncodeComponent(b, []byte(segment))
	}
	return string(b)
}
