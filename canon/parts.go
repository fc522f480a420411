package canon

import "bytes"

// Parts are the parts of a URL as [Split] finds them. They exclude the delimiters and alias the URL.
//
// A part that is absent is empty, and its flag, such as HasPort, is false. A part that is present but empty, such as
// the port of "http://h:/", has its flag set. Scheme and Path have no flag: a present scheme is never empty, and a path
// is always present.
type Parts struct {
	Scheme   []byte
	Userinfo []byte
	Host     []byte // with the brackets of an IPv6 literal
	Port     []byte
	Path     []byte // with its initial slash; without the parameters
	Params   []byte
	Query    []byte
	Fragment []byte

	HasAuthority bool // "//" is present; Host may still be empty
	HasUserinfo  bool
	HasPort      bool
	HasParams    bool
	HasQuery     bool
	HasFragment  bool

	protocol  protocol
	hasScheme bool // true even for an empty scheme, as in "://h", which WWWOFFLE accepts
}

// Absolute reports whether the URL has a scheme. "//host/path" has no scheme and is relative.
func (u Parts) Absolute() bool { return len(u.Scheme) > 0 }

// Split splits url into its parts, as [PDF] does. It follows the order of RFC 1808, 2.4:
//
//   - The fragment is the text after the first number sign.
//   - The scheme consists of letters, digits, "+", "-" and "." before the first colon.
//   - The authority (net_loc in RFC 1808) begins after "//" and ends before the first slash or question mark.
//   - The query begins after the first question mark, the parameters after the first semicolon before the query.
//   - The path is the rest.
//
// In the authority, the userinfo is the text before the last at sign. The first colon after the userinfo, or after the
// brackets of an IPv6 literal, starts the port. Split verifies nothing: a port need not be a number. Split does not
// allocate.
//
// For [PDF2] parameters are a part of the path, because RFC 3986 does not have them.
func Split(url []byte) Parts { return split(url, rfc1808) }

func split(url []byte, r rfc) (u Parts) {
	rest := url
	if i := bytes.IndexByte(rest, '#'); i >= 0 {
		rest, u.Fragment, u.HasFragment = rest[:i], rest[i+1:], true
	}
	if i := schemeEnd(rest); i > 0 {
		rest, u.Scheme = rest[i+1:], rest[:i]
	}
	u.protocol = protocolOf(u.Scheme)
	if len(rest) >= 2 && rest[0] == '/' && rest[1] == '/' {
		n := authorityLen(rest[2:])
		host := rest[2 : 2+n]
		rest, u.HasAuthority = rest[2+n:], true
		if i := bytes.LastIndexByte(host, '@'); i >= 0 {
			host, u.Userinfo, u.HasUserinfo = host[i+1:], host[:i], true
		}
		if i := portColon(host); i >= 0 {
			host, u.Port, u.HasPort = host[:i], host[i+1:], true
		}
		u.Host = host
	}
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		rest, u.Query, u.HasQuery = rest[:i], rest[i+1:], true
	}
	if r == rfc1808 {
		if i := bytes.IndexByte(rest, ';'); i >= 0 {
			rest, u.Params, u.HasParams = rest[:i], rest[i+1:], true
		}
	}
	u.Path = rest
	return u
}

// authorityLen returns the length of the authority at the beginning of s, the text after "//".
//
// The authority ends before a slash or a question mark. RFC 1808, 2.4.3, mentions only the slash. Taken literally, the
// query of a URL without a path would be a part of the host, and would be lower-cased.
func authorityLen(s []byte) int {
	if i := bytes.IndexByte(s, '/'); i >= 0 {
		s = s[:i]
	}
	if i := bytes.IndexByte(s, '?'); i >= 0 {
		s = s[:i]
	}
	return len(s)
}

// portColon returns the index of the colon before the port, or -1. The colons of an IPv6 literal do not start one.
func portColon(host []byte) int {
	literal := 0
	if len(host) > 0 && host[0] == '[' {
		literal = bytes.IndexByte(host, ']') + 1
	}
	if i := bytes.IndexByte(host[literal:], ':'); i >= 0 {
		return literal + i
	}
	return -1
}

// authorityEmpty reports whether the authority is empty.
func (u *Parts) authorityEmpty() bool {
	return len(u.Host) == 0 && !u.HasUserinfo && !u.HasPort
}

// schemeEnd returns the index of the colon that ends the scheme of s, or 0 if s has no scheme. A scheme is never
// empty.
func schemeEnd(s []byte) int {
	for i, c := range s {
		switch {
		case c|0x20-'a' < 26, c-'0' < 10, c == '+', c == '-', c == '.':
		case c == ':':
			return i
		default:
			return 0
		}
	}
	return 0
}

// appendTo appends the URL to dst, with folder before its path.
//
// The parts may lie in the spare capacity of dst, in their order and with room for the delimiters, as after split.
// Parts only move towards the front, so appendTo reads each part before it overwrites it.
func (u *Parts) appendTo(dst, folder []byte) []byte {
	if len(u.Scheme) > 0 || u.hasScheme {
		dst = append(append(dst, u.Scheme...), ':')
	}
	if u.HasAuthority {
		dst = append(dst, '/', '/')
		if u.HasUserinfo {
			dst = append(append(dst, u.Userinfo...), '@')
		}
		dst = append(dst, u.Host...)
		if u.HasPort {
			dst = append(append(dst, ':'), u.Port...)
		}
	}
	dst = append(append(dst, folder...), u.Path...)
	if u.HasParams {
		dst = append(append(dst, ';'), u.Params...)
	}
	if u.HasQuery {
		dst = append(append(dst, '?'), u.Query...)
	}
	if u.HasFragment {
		dst = append(append(dst, '#'), u.Fragment...)
	}
	return dst
}

// in returns u with parts that lie in text, the URL that appendTo wrote. folder is the length of the folder that
// appendTo wrote before the path.
func (u Parts) in(text []byte, folder int) Parts {
	next := func(n int) (part []byte) {
		part, text = text[:n], text[n:]
		return part
	}
	if len(u.Scheme) > 0 {
		u.Scheme = next(len(u.Scheme))
		next(len(":"))
	}
	if u.HasAuthority {
		next(len("//"))
		if u.HasUserinfo {
			u.Userinfo = next(len(u.Userinfo))
			next(len("@"))
		}
		u.Host = next(len(u.Host))
		if u.HasPort {
			next(len(":"))
			u.Port = next(len(u.Port))
		}
	}
	u.Path = next(folder + len(u.Path))
	if u.HasParams {
		next(len(";"))
		u.Params = next(len(u.Params))
	}
	if u.HasQuery {
		next(len("?"))
		u.Query = next(len(u.Query))
	}
	if u.HasFragment {
		next(len("#"))
		u.Fragment = next(len(u.Fragment))
	}
	return u
}

// protocol is the class of a URL by its scheme. It determines which steps apply.
type protocol uint8

const (
	foreign  protocol = iota // a scheme that the clause does not cover
	relative                 // no scheme: the URL is relative
	http
	https
	ftp
	file
)

func protocolOf(scheme []byte) protocol {
	switch {
	case len(scheme) == 0:
		return relative
	case equalFold(scheme, "http"):
		return http
	case equalFold(scheme, "https"):
		return https
	case equalFold(scheme, "ftp"):
		return ftp
	case equalFold(scheme, "file"):
		return file
	}
	return foreign
}
