package canon

import (
	"bytes"
	"strings"
)

// Hyvatti is the reduction that Jaakko Hyvätti proposed to the robots mailing list. It decodes escapes if this
// does not change the meaning, and encodes octets as RFC 1738 demands. His text has no rule for relative URLs and dot
// segments, and covers only hosts of http. The profile omits his step that makes hosts unique, because this step needs
// a name server.
//
// The result is a fixed point, except after a percent sign that starts no escape, if decoded digits follow: "%%34%31"
// becomes "%41".
var Hyvatti = &Profile{
	name:     "hyvatti",
	doc:      "The procedure of J. Hyvätti, robots mailing list: octets decoded where that changes no meaning.",
	clause:   "J. Hyvätti, robots list",
	whole:    true,
	links:    noLinks,
	rebuilds: true,
	telling:  true,
	steps: []step{
		{cutAtSign, Step{'a', "cut at the first number sign", "J. Hyvätti, robots list: first; RFC 1738, 2.2"}},
		{stripText, Step{'b', `strip "<URL:" and < > " around a URL in text`, "J. Hyvätti, robots list: free text"}},
		{recodeText, Step{'c', "decode safe octets, encode unsafe ones",
			"J. Hyvätti, robots list: for every character; RFC 1738, 2.2"}},
		{lowerAnyScheme, Step{'d', "lower-case the scheme", "J. Hyvätti, robots list: also"}},
		{lowerHTTPHost, Step{'e', "lower-case the host of an http URL", "J. Hyvätti, robots list: with http"}},
		{dropPort80, Step{'f', "strip :80 from an http URL", "J. Hyvätti, robots list: with http"}},
	},
}

// isHyvattiUnsafe reports whether Hyvatti encodes the octet c. isHyvattiReserved reports whether escapes of c stay.
func isHyvattiUnsafe(c byte) bool {
	return c <= ' ' || c >= 0x7f || c == '<' || c == '>' || c == '"'
}

func isHyvattiReserved(c byte) bool {
	return isHyvattiUnsafe(c) || strings.IndexByte("#%;/?:@=&", c) >= 0
}

func hyvattiEscaped(c byte) treatment {
	if isHyvattiReserved(c) {
		return keep
	}
	return decode
}

var (
	semicolon = []byte(";")
	port80    = []byte(":80")
)

var hyvatti = coded(false, only(isHyvattiUnsafe, encode), hyvattiEscaped)

var (
	stripText = operation{
		due: func(r *reduction) bool { return r.profile.options.FreeText },
		do:  func(r *reduction) { r.Path = strippedText(r.Path) },
	}
	recodeText = operation{
		due: func(*reduction) bool { return true },
		do:  (*reduction).recodeText,
	}
	lowerHTTPHost = operation{
		due: func(r *reduction) bool { return r.protocol == http && hasUpper(r.Host) },
		do:  func(r *reduction) { lower(r.Host) },
	}
	dropPort80 = operation{
		due: func(r *reduction) bool { return r.protocol == http && bytes.HasSuffix(r.Host, port80) },
		do:  func(r *reduction) { r.Host = bytes.TrimSuffix(r.Host, port80) },
	}
)

// recodeText recodes the whole URL and then splits it, because escapes may hide a scheme, but no delimiter. Host
// includes the port, because both are lower-cased. Path is all text after the host. A semicolon ends the host, because
// a semicolon is reserved.
func (r *reduction) recodeText() {
	rest := r.recode(r.Path, &hyvatti)
	u := Parts{}
	if i := schemeEnd(rest); i > 0 {
		rest, u.Scheme = rest[i+1:], rest[:i]
	}
	u.protocol = protocolOf(u.Scheme)
	if bytes.HasPrefix(rest, slashes) {
		n := authorityLen(rest[2:])
		u.Host, _, _ = bytes.Cut(rest[2:2+n], semicolon)
		rest, u.HasAuthority = rest[2+len(u.Host):], true
		if i := bytes.LastIndexByte(u.Host, '@'); i >= 0 {
			u.Userinfo, u.Host, u.HasUserinfo = u.Host[:i], u.Host[i+1:], true
		}
	}
	u.Path = rest
	r.Parts = u
}

// strippedText removes "<URL:", in any case, and any of < > " from the beginning of text. From the end it removes any
// of < > ".
func strippedText(text []byte) []byte {
	for len(text) > 0 {
		switch {
		case len(text) >= 5 && text[0] == '<' && equalFold(text[1:4], "url") && text[4] == ':':
			text = text[5:]
		case isQuote(text[0]):
			text = text[1:]
		default:
			return bytes.TrimRight(text, `<>"`)
		}
	}
	return text
}

func isQuote(c byte) bool { return c == '<' || c == '>' || c == '"' }
