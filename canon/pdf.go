package canon

import "bytes"

// PDF is the reduction of PDF 1.3 to 1.7: PDF Reference 1.7, 10.9.2, and ISO 32000-1:2008, 14.10.3.2. Relative URLs
// and dot segments follow RFC 1808, section 4, which keeps leading ".." segments.
var PDF = &Profile{
	name:   "pdf",
	doc:    "URL strings of PDF 1.3 to 1.7: relative URLs and dot segments as in RFC 1808.",
	clause: "ISO 32000-1:2008, 14.10.3.2",
	rfc:    rfc1808,
	steps: []step{
		{makeAbsolute, Step{'a', "make a relative URL absolute", "PDF Reference 1.7, 10.9.2, step 1; RFC 1808, 4"}},
		{cutFragment, Step{'b', "cut at the first number sign", "PDF Reference 1.7, 10.9.2, step 2"}},
		{lowerScheme, Step{'c', "lower-case the scheme", "PDF Reference 1.7, 10.9.2, step 3"}},
		{lowerHost, Step{'d', "lower-case the host", "PDF Reference 1.7, 10.9.2, step 4"}},
		{dropLocalhost, Step{'e', "strip localhost from a file URL", "PDF Reference 1.7, 10.9.2, step 5"}},
		{dropPort, Step{'f', "strip the default port", "PDF Reference 1.7, 10.9.2, step 6"}},
		{resolveDots, Step{'g', "resolve dot segments", "PDF Reference 1.7, 10.9.2, step 7; RFC 1808, 4, step 6"}},
	},
}

// PDF2 is the reduction of PDF 2.0: ISO 32000-2:2020, 14.10.3.2. Relative URLs and dot segments follow RFC 3986,
// 5.2, which drops leading ".." segments and has no parameters.
var PDF2 = &Profile{
	name:   "pdf2",
	doc:    "URL strings of PDF 2.0: relative URLs and dot segments as in RFC 3986.",
	clause: "ISO 32000-2:2020, 14.10.3.2",
	rfc:    rfc3986,
	steps: []step{
		{makeAbsolute, Step{'a', "make a relative URL absolute", "ISO 32000-2:2020, 14.10.3.2 a; RFC 3986, 5.2.2"}},
		{cutFragment, Step{'b', "cut at the first number sign", "ISO 32000-2:2020, 14.10.3.2 b"}},
		{lowerScheme, Step{'c', "lower-case the scheme", "ISO 32000-2:2020, 14.10.3.2 c"}},
		{lowerHost, Step{'d', "lower-case the host", "ISO 32000-2:2020, 14.10.3.2 d"}},
		{dropLocalhost, Step{'e', "strip localhost from a file URL", "ISO 32000-2:2020, 14.10.3.2 e"}},
		{dropPort, Step{'f', "strip the default port", "ISO 32000-2:2020, 14.10.3.2 f"}},
		{resolveDots, Step{'g', "resolve dot segments", "ISO 32000-2:2020, 14.10.3.2 g; RFC 3986, 5.2.4"}},
	},
}

// The operations of PDF and PDF2. They change no URL with a scheme that the clause does not cover.
var (
	cutFragment = operation{
		due: func(r *reduction) bool { return r.protocol != foreign && r.HasFragment },
		do:  func(r *reduction) { r.Fragment, r.HasFragment = nil, false },
	}
	lowerScheme = operation{
		due: func(r *reduction) bool { return r.protocol != foreign && hasUpper(r.Scheme) },
		do:  func(r *reduction) { lower(r.Scheme) },
	}
	lowerHost = operation{
		due: func(r *reduction) bool { return r.protocol != foreign && hasUpper(r.Host) },
		do:  func(r *reduction) { lower(r.Host) },
	}
	dropLocalhost = operation{
		due: func(r *reduction) bool {
			return r.protocol == file && equalFold(r.Host, "localhost") && !r.HasUserinfo && !r.HasPort
		},
		do: func(r *reduction) { r.Host = nil }, // the authority becomes empty, but stays: file:///etc
	}
	dropPort = operation{
		due: func(r *reduction) bool { return r.HasPort && isDefaultPort(r.protocol, r.Port) },
		do:  func(r *reduction) { r.Port, r.HasPort = nil, false },
	}
	resolveDots = operation{
		due: func(r *reduction) bool { return r.protocol != foreign && r.profile.rfc.hasDots(r.Path) },
		do:  func(r *reduction) { r.Path = r.profile.rfc.removeDots(r.Path, r.HasAuthority) },
	}
)

// isDefaultPort reports whether port, as a decimal number, is the default port that 14.10.3.2 f has for p. It has none
// for https. An empty port is not a number.
func isDefaultPort(p protocol, port []byte) bool {
	switch p {
	case http:
		return string(bytes.TrimLeft(port, "0")) == "80"
	case ftp:
		return string(bytes.TrimLeft(port, "0")) == "21"
	}
	return false
}
