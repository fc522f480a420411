package canon

import (
	"bytes"
	"strings"
)

// Faehnri follows the notes on URLs of faehnri.ch, which are based on RFC 2396. The notes describe how to code
// components ([EncodeComponent], [Decode]) and to resolve relative URLs. They define no canonical form. The profile
// assumes that a URL was encoded once, and encodes only characters that no URL may contain. Escapes, reserved
// characters, capitals, ports, and fragments stay. Dot segments are removed only when a URL is resolved.
var Faehnri = &Profile{
	name:     "faehnri",
	doc:      "The notes of faehnri.ch after RFC 2396: what no URL may hold is encoded, and nothing else changes.",
	clause:   "faehnri.ch, notes on URLs; RFC 2396, 2.4",
	rfc:      rfc3986,
	rebuilds: true,
	steps: []step{
		{makeAbsolute, Step{'a', "make a relative URL absolute", "faehnri.ch, absolute vs. relative; RFC 3986, 5.2.2"}},
		{encodeUnwise, Step{'b', "encode unwise characters", "faehnri.ch, unwise; RFC 2396, 2.4.3; RFC 2732"}},
		{encodeExcluded, Step{'c', "encode excluded characters", "faehnri.ch, excluded; RFC 2396, 2.4.3"}},
	},
}

var (
	encodeUnwise   = encodeParts(&unwise, &unwiseInIPv6)
	encodeExcluded = encodeParts(&excluded, &excluded)
)

var (
	unwise       = coded(false, only(isUnwise, encode), always(keep))
	unwiseInIPv6 = coded(false, only(func(c byte) bool { return isUnwise(c) && c != '[' && c != ']' }, encode),
		always(keep))
	excluded = coded(false, only(isExcluded, encode), always(keep))
)

func isUnwise(c byte) bool { return strings.IndexByte("{}|\\^[]`", c) >= 0 }

// isExcluded reports whether a URL must not contain a character. These are the characters that the notes exclude, and
// those that their list lacks: the blank, which their example excludes, and bytes outside of ASCII. A percent sign is
// excluded only if it starts no escape.
func isExcluded(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("<>#%\"", c) >= 0
}

// encodeParts returns an operation that recodes each part separately, so that the delimiters stay. The first number
// sign is a delimiter; further ones are data. The brackets around an IPv6 address are delimiters, too (RFC 2732): ipv6
// is the table for such a host.
func encodeParts(t, ipv6 *octetTable) operation {
	return operation{
		due: func(*reduction) bool { return true },
		do: func(r *reduction) {
			r.Userinfo = r.recode(r.Userinfo, t)
			if isIPv6Literal(r.Host) {
				r.Host = r.recode(r.Host, ipv6)
			} else {
				r.Host = r.recode(r.Host, t)
			}
			r.Port = r.recode(r.Port, t)
			r.Path = r.recode(r.Path, t)
			r.Query = r.recode(r.Query, t)
			r.Fragment = r.recode(r.Fragment, t)
		},
	}
}

// isIPv6Literal reports whether host looks like an IPv6 address in brackets, which may have a zone.
func isIPv6Literal(host []byte) bool {
	if bytes.LastIndex(host, bracket) != 0 || bytes.Index(host, closing) != len(host)-1 {
		return false
	}
	address, _, _ := bytes.Cut(host[1:len(host)-1], percent)
	for _, c := range address {
		if digits[c] > 15 && c != ':' && c != '.' {
			return false
		}
	}
	return bytes.Count(address, colon) > 1
}

var percent = []byte("%")
