package canon

import (
	"bytes"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// SURT is the key of a URL in the indexes of web archives (CDX and CDXJ), as npm's warcio writes it. The labels of the
// host are in reverse order, so that the captures of a site are next to each other. If a URL does not begin with
// "http:" or "https:" in lower case, or browsers reject it, step b does not change it.
//
// Step b follows the WHATWG URL standard; warcio uses the implementation of the JavaScript runtime. In a host that is
// not ASCII, step b lower-cases letters and writes Punycode; it does not map or reject other characters, but rejects
// bytes that are not UTF-8. SURT always allocates.
var SURT = &Profile{
	name:     "surt",
	doc:      "Keys of CDXJ indexes of web archives, as npm's warcio writes them: host labels in reverse order.",
	clause:   "warcio.js, getSurt",
	rfc:      rfc3986,
	whole:    true,
	links:    noLinks,
	rebuilds: true,
	steps: []step{
		{surtStep(stripWWW), Step{'a', "strip www and a number from the host", "warcio.js, getSurt"}},
		{surtStep(surtKey), Step{'b',
			"lower-case the URL, write it as browsers do, put its host labels in reverse order, sort its query",
			"warcio.js, getSurt; URL Standard, 4.4"}},
	},
}

// surtStep is a step that writes a new URL.
func surtStep(write func([]byte) []byte) operation {
	return operation{due: func(*reduction) bool { return true }, do: func(r *reduction) { r.Path = write(r.Path) }}
}

// stripWWW returns a copy of url without "www", digits, and a period at the start of the host.
func stripWWW(url []byte) []byte {
	for _, scheme := range []string{"http://", "https://"} {
		if rest, ok := bytes.CutPrefix(url, []byte(scheme+"www")); ok {
			rest = bytes.TrimLeft(rest, "0123456789")
			if rest, ok = bytes.CutPrefix(rest, []byte(".")); ok {
				return append([]byte(scheme), rest...)
			}
		}
	}
	return bytes.Clone(url)
}

// surtKey returns the key of a URL, or the URL itself if browsers reject it or its scheme is neither http nor
// https.
func surtKey(url []byte) []byte {
	scheme, _, _ := bytes.Cut(url, []byte(":"))
	defaultPort, ok := map[string]string{"http": "80", "https": "443"}[string(scheme)]
	if !ok || len(scheme) == len(url) {
		return url
	}
	clean := strings.NewReplacer("\t", "", "\n", "", "\r", "").Replace(strings.TrimRight(lowered(url), controlsAndBlank))
	clean, _, _ = strings.Cut(clean[len(scheme)+1:], "#")
	clean = strings.TrimLeft(clean, `/\`)
	authority, rest := clean, ""
	if i := strings.IndexAny(clean, `/\?`); i >= 0 {
		authority, rest = clean[:i], clean[i:]
	}
	authority = authority[strings.LastIndexByte(authority, '@')+1:]
	port := ""
	if i := portColon([]byte(authority)); i >= 0 {
		authority, port = authority[:i], authority[i+1:]
	}
	host, ok := surtHost(authority)
	if port, ok = surtPort(port, defaultPort, ok); !ok {
		return url
	}
	path, query, _ := strings.Cut(rest, "?")
	key := host + port + ")" + surtPath(path)
	if query != "" {
		list := strings.Split(encodedFor(query, "\"#<>'"), "&")
		slices.Sort(list)
		key += "?" + strings.Join(list, "&")
	}
	return []byte(key)
}

var controlsAndBlank = func() string {
	var b []byte
	for c := byte(0); c <= ' '; c++ {
		b = append(b, c)
	}
	return string(b)
}()

// lowered returns url in lower case. Invalid UTF-8 stays unchanged.
func lowered(url []byte) string {
	var b strings.Builder
	for len(url) > 0 {
		n := len(url)
		if i := bytes.IndexFunc(url, func(r rune) bool { return r == '\uFFFD' }); i >= 0 {
			n = max(i, 1)
		}
		if n == 1 && url[0] >= 0x80 {
			b.WriteByte(url[0])
		} else {
			b.WriteString(strings.ToLower(strings.ReplaceAll(string(url[:n]), "İ", "i\u0307"))) // as in JavaScript
		}
		url = url[n:]
	}
	return b.String()
}

// surtPort returns the port with its colon; "" if it is empty or the default port. The result is false if ok is false
// or the port is invalid.
func surtPort(port, defaultPort string, ok bool) (string, bool) {
	if !ok || port == "" {
		return "", ok
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || port[0] == '+' {
		return "", false
	}
	if port = strconv.FormatUint(n, 10); port == defaultPort {
		return "", true
	}
	return ":" + port, true
}

// surtHost returns a host with its labels in reverse order, or an IPv6 address in its usual form. The result is false
// if browsers reject the host.
func surtHost(host string) (string, bool) {
	if inner, ok := strings.CutPrefix(host, "["); ok {
		inner, ok = strings.CutSuffix(inner, "]")
		ip, err := netip.ParseAddr(inner)
		if !ok || err != nil || !ip.Is6() || ip.Zone() != "" {
			return "", false
		}
		if ip.Is4In6() {
			b := ip.As16()
			return fmt.Sprintf("[::ffff:%x:%x]", uint(b[12])<<8|uint(b[13]), uint(b[14])<<8|uint(b[15])), true
		}
		return "[" + ip.String() + "]", true
	}
	host = lowered(Decode(nil, []byte(host)))
	// What is not UTF-8 becomes U+FFFD, which no domain has (URL Standard, 3.5).
	if host == "" || !utf8.ValidString(host) || strings.ContainsAny(host, controlsAndBlank+"#/:<>?@[\\]^|%\x7f") {
		return "", false
	}
	labels := strings.Split(host, ".")
	if address, isAddress, ok := ipv4(labels); isAddress {
		labels = strings.Split(address, ".")
		if !ok {
			return "", false
		}
	}
	for i, l := range labels {
		labels[i] = punycode(l)
	}
	slices.Reverse(labels)
	return strings.Join(labels, ","), true
}

// punycode returns a label that is not ASCII in the form of DNS (RFC 3492, 6.3).
func punycode(label string) string {
	isOther := func(r rune) bool { return r >= utf8.RuneSelf }
	if len(label) > maxLabel || strings.IndexFunc(label, isOther) < 0 {
		return label
	}
	if coded, err := idna.Punycode.ToASCII(label); err == nil {
		return coded
	}
	return label
}

// maxLabel is the maximum length of a label to encode, because Punycode takes quadratic time. DNS labels are shorter.
const maxLabel = 255

// ipv4 parses a host as an IPv4 address if its last label is a number (URL Standard, 3.5).
func ipv4(labels []string) (address string, isAddress, ok bool) {
	if n := len(labels); n > 1 && labels[n-1] == "" {
		labels = labels[:n-1]
	}
	last := labels[len(labels)-1]
	digits := last != "" && strings.Trim(last, "0123456789") == ""
	if _, isNumber := ipv4Number(last); !digits && !isNumber {
		return "", false, false
	}
	if len(labels) > 4 {
		return "", true, false
	}
	var sum uint64
	for i, l := range labels {
		n, ok := ipv4Number(l)
		most := uint64(255)
		if i == len(labels)-1 {
			most = 1<<(8*(5-len(labels))) - 1
			sum += n
		} else {
			sum += n << (8 * (3 - i))
		}
		if !ok || n > most {
			return "", true, false
		}
	}
	return netip.AddrFrom4([4]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}).String(), true, true
}

// ipv4Number parses one part of an IPv4 address: decimal, octal after 0, or hexadecimal after 0x.
func ipv4Number(s string) (n uint64, ok bool) {
	base := 10
	switch {
	case strings.HasPrefix(s, "0x"):
		base, s = 16, s[2:]
		if s == "" {
			return 0, true
		}
	case len(s) > 1 && s[0] == '0':
		base, s = 8, s[1:]
	}
	n, err := strconv.ParseUint(s, base, 40)
	return n, err == nil && s[0] != '+'
}

// surtPath resolves dot segments, even escaped ones, and escapes characters that are not allowed in a path.
func surtPath(path string) string {
	segments := strings.Split(strings.ReplaceAll(path, `\`, "/"), "/")
	if len(segments) > 1 {
		segments = segments[1:] // the empty segment before the first slash
	}
	var out []string
	for i, s := range segments {
		dots := strings.ReplaceAll(s, "%2e", ".")
		switch {
		case dots == ".." && len(out) > 0:
			out = out[:len(out)-1]
		case dots != "." && dots != "..":
			out = append(out, encodedFor(s, "\"#<>?`{}"))
			continue
		}
		if i == len(segments)-1 {
			out = append(out, "")
		}
	}
	return "/" + strings.Join(out, "/")
}

// encodedFor escapes control characters, blanks, characters outside of ASCII, and the characters in others.
func encodedFor(s, others string) string {
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(others, c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
