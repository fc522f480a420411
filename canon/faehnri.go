package canon

import "strings"

// Faehnri follows the notes on URLs of faehnri.ch, which go back to RFC 2396. They describe how to code components
// ([EncodeComponent], [Decode]) and resolve relative URLs, and define no canonical form. This profile assumes that
// a URL was encoded once, and encodes characters that no URL may contain. Escapes, reserved characters, capitals,
// ports, and fragments stay. Dot segments are removed only by resolution.
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
	encodeUnwise   = encodeParts(&unwise, &unwiseInHost)
	encodeExcluded = encodeParts(&excluded, &excluded)
)

var (
	unwise       = coded(false, only(isUnwise, encode), always(keep))
	unwiseInHost = coded(false, only(func(c byte) bool { return isUnwise(c) && c != '[' && c != ']' }, encode),
		always(keep))
	excluded = coded(false, only(isExcluded, encode), always(keep))
)

func isUnwise(c byte) bool { return strings.IndexByte("{}|\\^[]`", c) >= 0 }

// isExcluded reports whether the notes exclude a character, or forget to: the blank, which is their example, and bytes
// outside of ASCII. A percent sign counts only if it starts no escape.
func isExcluded(c byte) bool {
	return c <= ' ' || c >= 0x7f || strings.IndexByte("<>#%\"", c) >= 0
}

// encodeParts recodes each part by itself, so that the delimiters stay: the first number sign is one, a second is data.
func encodeParts(t, host *octetTable) operation {
	return operation{
		due: func(*reduction) bool { return true },
		do: func(r *reduction) {
			r.Userinfo = r.recode(r.Userinfo, t)
			r.Host = r.recode(r.Host, host)
			r.Port = r.recode(r.Port, t)
			r.Path = r.recode(r.Path, t)
			r.Query = r.recode(r.Query, t)
			r.Fragment = r.recode(r.Fragment, t)
		},
	}
}
