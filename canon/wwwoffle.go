package canon

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
	"strings"
)

// WWWOFFLE29 is what WWWOFFLE 2.9 to 2.9d make of a URL, the World Wide Web Offline Explorer: the text that it keeps
// beside a page, and whose [CacheName] it files the page under. It stands for a program built without GnuTLS, so that
// 443 is no default port of https.
//
// The program is what counts, not its README.URL. It works with strings of C: a URL ends before an octet 0, and a part
// that is decoded ends before "%00". Escapes are decoded before dots are looked at, so "%2F" divides segments.
//
// The form is a fixed point unless "&amp;amp;" was in it, a login or password that decodes to nothing, an empty login, a
// port that is a multiple of 65536, or a default port with letters behind it and no letter before it.
var WWWOFFLE29 = &Profile{
	name:   "wwwoffle29",
	doc:    "What WWWOFFLE 2.9 files a page under, before its name is hashed.",
	clause: "WWWOFFLE 2.9, README.URL",
	whole:  true,
	grows:  true,
	steps:  append(steps29(), step{replaceAmp, Step{'l', "replace &amp; by &", "WWWOFFLE 2.9, README.URL: arguments, 2 c"}}),
}

// WWWOFFLE29E is what WWWOFFLE 2.9e and later make of a URL: WWWOFFLE29 without the replacement of "&amp;", which has
// become a matter of links in HTML.
var WWWOFFLE29E = &Profile{
	name:   "wwwoffle29e",
	doc:    "What WWWOFFLE 2.9e and later files a page under: as 2.9, but &amp; is kept.",
	clause: "WWWOFFLE 2.9, README.URL",
	whole:  true,
	grows:  true,
	steps:  steps29(),
}

// steps29 returns the steps of every 2.9.
func steps29() []step {
	return []step{
		{followLink, Step{'a', "make a relative link absolute", "WWWOFFLE 2.9, LinkURL"}},
		{cutAtSign, Step{'b', "cut at the first number sign", "WWWOFFLE 2.9, SplitURL"}},
		{takeApart, Step{'c', "write down protocol, host and path", "WWWOFFLE 2.9, README.URL: protocol, hostname, pathname, 1"}},
		{lowerScheme, Step{'d', "lower-case the protocol", "WWWOFFLE 2.9, README.URL: protocol, 2 a"}},
		{recodeLogin, Step{'e', "recode username and password", "WWWOFFLE 2.9, README.URL: username & password, 2 b and c"}},
		{decodeHost, Step{'f', "decode, cut and lower-case the host", "WWWOFFLE 2.9, README.URL: hostname, 2 a; CreateURL"}},
		{rewriteHost, Step{'g', "rewrite a numeric host", "WWWOFFLE 2.9, CanonicaliseHost"}},
		{dropKnownPort, Step{'h', "strip the default port", "WWWOFFLE 2.9, README.URL: port, 2"}},
		{recodePath, Step{'i', "recode the path", "WWWOFFLE 2.9, README.URL: pathname, 2 b and c"}},
		{resolveName, Step{'j', "resolve dot segments", "WWWOFFLE 2.9, CanonicaliseName"}},
		{recodeArgs, Step{'k', "recode the arguments", "WWWOFFLE 2.9, README.URL: arguments, 2 b"}},
	}
}

// WWWOFFLE26 is what WWWOFFLE 2.6 makes of a URL, as far as 2.7e shows it: of 2.6 itself only the text has come down
// to us. Parameters, from the first semicolon before the arguments, are coded like arguments and are no part of the
// path; [Split] finds them in the result. Nothing is cut at a number sign, and of the host little but capitals and
// numbers is changed.
//
// The form is a fixed point but for logins, ports and hosts as with WWWOFFLE29, numeric hosts whose port turns out to be
// the default one only when it is rewritten, and hosts with octets that belong in none.
var WWWOFFLE26 = &Profile{
	name:   "wwwoffle26",
	doc:    "What WWWOFFLE 2.6 files a page under: parameters are apart from the path, number signs are data.",
	clause: "WWWOFFLE 2.6, README.URL",
	whole:  true,
	grows:  true,
	steps: []step{
		{followLink26, Step{'a', "make a relative link absolute", "WWWOFFLE 2.7e, LinkURL"}},
		{takeApart26, Step{'b', "write down protocol, host and path", "WWWOFFLE 2.6, README.URL: protocol, hostname, pathname, 1"}},
		{lowerScheme, Step{'c', "lower-case the protocol", "WWWOFFLE 2.6, README.URL: protocol, 2 a"}},
		{recodeLogin26, Step{'d', "recode username and password", "WWWOFFLE 2.6, README.URL: username & password, 2 b and c"}},
		{lowerHost26, Step{'e', "lower-case the host", "WWWOFFLE 2.6, README.URL: hostname, 2 a"}},
		{dropKnownPort26, Step{'f', "strip the default port", "WWWOFFLE 2.6, README.URL: port, 2"}},
		{rewriteHost, Step{'g', "rewrite a numeric host", "WWWOFFLE 2.7e, CanonicaliseHost"}},
		{recodePath26, Step{'h', "recode the path", "WWWOFFLE 2.6, README.URL: pathname, 2 b and c"}},
		{resolveName, Step{'i', "resolve dot segments", "WWWOFFLE 2.7e, CanonicaliseName"}},
		{recodeParams, Step{'j', "recode the parameters", "WWWOFFLE 2.6, README.URL: parameters, 2 b"}},
		{recodeArgs, Step{'k', "recode the arguments", "WWWOFFLE 2.6, README.URL: arguments, 2 b"}},
	},
}

// CacheName returns the name under which WWWOFFLE files url, after the letter that says which file it is: the MD5 of the
// canonical form in Base64, with "-" for "/" and without "=". "+" stays, so this is not the Base64 of RFC 4648, 5.
func CacheName(url []byte) string {
	sum := md5.Sum(url)
	return strings.ReplaceAll(base64.RawStdEncoding.EncodeToString(sum[:]), "/", "-")
}

// The codings of WWWOFFLE. It decodes a path, a login and a host and then encodes them, which comes to one coding;
// arguments are never decoded as a whole.
var (
	wwwPath   = decodedAndCoded("!$()*+,-./:;=_~")
	wwwPath26 = decodedAndCoded("!$()*+,-./:=_~")
	wwwLogin  = decodedAndCoded("!$*+,-.=_~")
	wwwHost   = coded(true, in(":-.[]", keep, end), in(":-.[]", decode, end))
	wwwArgs   = coded(true, blankAsPlus(in("!$&()*+,-./:;=?_~|", keep, encode)), blankAsPlus(in("!$()*,-./:_~|", decode, upper)))
)

func decodedAndCoded(set string) coding {
	return coded(true, in(set, keep, encode), func(c byte) treatment {
		if c == 0 {
			return end
		}
		return in(set, decode, encode)(c)
	})
}

func blankAsPlus(f func(byte) treatment) func(byte) treatment {
	return func(c byte) treatment {
		if c == ' ' {
			return plus
		}
		return f(c)
	}
}

var (
	httpScheme = []byte("http")
	nul        = []byte{0}
)

// takeApart splits u.Path, which is all of the URL, by the heuristics of SplitURL: there need not be a protocol, and
// what looks like one may be a host with a port or a username with a password. Nothing of it is relative.
func (u Parts) takeApart(edition26 bool, localHost string, work []byte) (Parts, []byte) {
	rest, _, _ := bytes.Cut(u.Path, nul)
	u = Parts{Scheme: httpScheme, hasScheme: true, HasAuthority: true}
	colonAt, slashAt, at := bytes.IndexByte(rest, ':'), bytes.IndexByte(rest, '/'), bytes.IndexByte(rest, '@')
	scheme := 0 // length of the protocol with what ends it
	switch {
	case slashAt == 0:
	case colonAt >= 0 && slashAt == colonAt+1:
		scheme = slashAt + 1
		if bytes.HasPrefix(rest[scheme:], slash) {
			scheme++
		}
	case colonAt >= 0 && !digitFollows(rest[colonAt+1:]) && (slashAt < 0 || colonAt < slashAt) && (at < 0 || 0 <= slashAt && slashAt < at):
		scheme = colonAt + 1
	}
	if scheme > 0 {
		u.Scheme, rest = rest[:colonAt], rest[scheme:]
		colonAt, slashAt = bytes.IndexByte(rest, ':'), bytes.IndexByte(rest, '/')
		at -= scheme // one in the protocol does not count, and hides those after it
	}
	switch {
	case at == 0:
		rest = rest[1:]
	case at > 0 && (slashAt < 0 || at < slashAt):
		if colonAt > at { // user@host:password@server
			if i := bytes.IndexByte(rest[colonAt:max(colonAt, slashAt)], '@'); i >= 0 && bytes.IndexByte(rest[at+1:colonAt], '@') < 0 {
				at = colonAt + i
			}
		}
		u.Userinfo, u.HasUserinfo, rest = rest[:at], true, rest[at+1:]
	}
	return u.takeRestApart(rest, edition26, localHost, work)
}

// takeRestApart is about what follows protocol and login. An empty part after a semicolon or question mark is none.
func (u Parts) takeRestApart(rest []byte, edition26 bool, localHost string, work []byte) (Parts, []byte) {
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		rest, u.Query = rest[:i], rest[i+1:]
		u.HasQuery = len(u.Query) > 0
	}
	u.Host, u.Path = rest, slash
	if i := bytes.IndexByte(rest, '/'); i >= 0 {
		u.Host, u.Path = rest[:i], rest[i:]
	}
	local := len(u.Host) == 0
	if edition26 {
		// A semicolon in the host cuts it, but the path begins at the first slash even if that is a parameter's.
		local = bytes.HasPrefix(rest, slash)
		if i := bytes.IndexByte(rest, ';'); i >= 0 {
			u.Params = rest[i+1:]
			u.HasParams = len(u.Params) > 0
			if i < len(u.Host) {
				n := len(work)
				work = append(work, u.Path...) // the steps would write into the parameters
				u.Host, u.Path = u.Host[:i], work[n:len(work):len(work)]
			} else {
				u.Path = rest[len(u.Host):i]
			}
		}
	}
	if local {
		n := len(work)
		if localHost == "" {
			localHost = "localhost:8080"
		}
		work = append(work, localHost...)
		u.Host = work[n:len(work):len(work)]
	}
	return u, work
}

func digitFollows(s []byte) bool { return len(s) > 0 && s[0]-'0' < 10 }

// recodeLogin recodes username and password, which the first colon divides. 2.9 drops an empty password, but not one
// that decodes to nothing.
func (u Parts) recodeLogin(edition26 bool, work []byte) (Parts, []byte) {
	name, password, ok := bytes.Cut(u.Userinfo, colon)
	n := len(work)
	work = wwwLogin.append(work, name)
	if ok && (len(password) > 0 || edition26) {
		work = wwwLogin.append(append(work, ':'), password)
	}
	u.Userinfo = work[n:len(work):len(work)]
	return u, work
}

// resolvedName removes dot segments from path, which begins with a slash, and returns what remains, in the same memory.
// This is CanonicaliseName, which no RFC is like: a final "." takes its slash with it, a final ".." stays behind an empty
// segment, and nothing goes above the root.
func resolvedName(path []byte) []byte {
	w := 1
	for next := 1; ; {
		// Here: path[:w] is the result so far and ends with a slash.
		end := next + segmentLen(path[next:])
		segment, last := path[next:end], end == len(path)
		switch {
		case isDot(segment) && last:
			w = max(w-1, 1)
		case isDot(segment):
		case isDotDot(segment) && w == 1:
		case isDotDot(segment) && !(last && path[w-2] == '/'):
			w = bytes.LastIndexByte(path[:w-1], '/') + 1
		default:
			w += copy(path[w:], path[next:min(end+1, len(path))])
		}
		if last {
			return path[:w]
		}
		next = end + 1
	}
}

// withoutAmp replaces "&amp;" in any case by "&", once and from left to right, in the same memory.
func withoutAmp(args []byte) []byte {
	w := 0
	for i := 0; i < len(args); i++ {
		args[w] = args[i]
		w++
		if args[i] == '&' && len(args) > i+4 && equalFold(args[i+1:i+4], "amp") && args[i+4] == ';' {
			i += len("amp;")
		}
	}
	return args[:w]
}

// isURL reports whether LinkURL takes a link for a whole URL: a colon is there before a slash, or it begins like a mail
// address or, to 2.9, like a script.
func isURL(link []byte, edition26 bool) bool {
	link, _, _ = bytes.Cut(link, nul)
	colonAt := bytes.IndexByte(link, ':')
	if colonAt < 0 {
		return false
	}
	if slashAt := bytes.IndexByte(link, '/'); slashAt >= 0 && colonAt < slashAt {
		return true
	}
	return equalFold(link[:colonAt], "mailto") || !edition26 && equalFold(link[:colonAt], "javascript")
}

// link returns what LinkURL makes of a link on the page base: text that is then taken apart like any other. It lies in
// the result, which is dst and what was appended to it.
//
// The page is reduced first. Of it a link inherits neither login nor parameters nor arguments, but to 2.9 a fragment is
// the page itself, and nothing is the page without arguments; to 2.6 nothing is the folder of the page. Dots are
// resolved in all that comes of a relative link, arguments included.
func (p *Profile) link(dst, base, link []byte) (Parts, []byte) {
	link, _, _ = bytes.Cut(link, nul)
	edition26 := p.steps[0].op == followLink26
	n := len(dst)
	dst = append(dst, base...)
	page, dst := p.take(Parts{Path: dst[n:]}, dst)
	n = len(dst)
	root := Parts{Scheme: page.Scheme, hasScheme: true, HasAuthority: true, Host: page.Host}
	switch {
	case !edition26 && bytes.HasPrefix(link, numberSign):
		page.Userinfo, page.HasUserinfo = nil, false
		dst = page.appendTo(dst, nil)
	case bytes.HasPrefix(link, slashes):
		dst = append(append(append(dst, page.Scheme...), ':'), link...)
	case bytes.HasPrefix(link, slash):
		dst = append(root.appendTo(dst, nil), link...)
	case !edition26 && len(link) == 0:
		dst = append(root.appendTo(dst, nil), page.Path...)
	default:
		dst = root.appendTo(dst, nil)
		path := len(dst)
		dst = append(append(dst, page.folder()...), link...)
		dst = dst[:path+len(resolvedName(dst[path:]))]
	}
	return Parts{Path: dst[n:]}, dst
}
