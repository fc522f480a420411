package canon

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"encoding/base64"
	"strings"
)

// WWWOFFLE29 is the form of a URL in the World Wide Web Offline Explorer (WWWOFFLE), 2.9 to 2.9d. The program stores
// this form next to a page, and names the file of the page by the [CacheName] of the URL. The profile assumes a program
// built without GnuTLS, so 443 is not a default port of https.
//
// The profile follows the program, not its README.URL. The program uses C strings: a URL ends before an octet 0, and a
// decoded part ends before "%00". It decodes escapes before it resolves dots, so "%2F" divides segments.
//
// The form is a fixed point except for URLs with "&amp;amp;", a username or password that decodes to an empty string,
// empty userinfo, a port that is a multiple of 65536, or a default port with letters after it and no letter before it.
var WWWOFFLE29 = &Profile{
	name:     "wwwoffle29",
	doc:      "The form of a URL in WWWOFFLE 2.9; the name of the cache file is a hash of it.",
	clause:   "WWWOFFLE 2.9, README.URL",
	whole:    true,
	links:    linkURL29,
	rebuilds: true,
	telling:  true,
	steps: append(steps29(), step{replaceAmp,
		Step{'l', "replace &amp; by &", "WWWOFFLE 2.9, README.URL: arguments, 2 c"}}),
}

// WWWOFFLE29E is the form of a URL in WWWOFFLE 2.9e and later. It is WWWOFFLE29 without the replacement of "&amp;":
// these versions replace "&amp;" only in HTML links.
var WWWOFFLE29E = &Profile{
	name:     "wwwoffle29e",
	doc:      "The form of a URL in WWWOFFLE 2.9e and later: as in 2.9, but &amp; is kept.",
	clause:   "WWWOFFLE 2.9, README.URL",
	whole:    true,
	links:    linkURL29,
	rebuilds: true,
	telling:  true,
	steps:    steps29(),
}

// steps29 returns the common steps of all 2.9 versions.
func steps29() []step {
	return []step{
		{makeAbsolute, Step{'a', "make a relative link absolute", "WWWOFFLE 2.9, LinkURL"}},
		{cutAtSign, Step{'b', "cut at the first number sign", "WWWOFFLE 2.9, SplitURL"}},
		{takeApart, Step{'c', "write out scheme, host and path",
			"WWWOFFLE 2.9, README.URL: protocol, hostname, pathname, 1"}},
		{lowerAnyScheme, Step{'d', "lower-case the scheme", "WWWOFFLE 2.9, README.URL: protocol, 2 a"}},
		{recodeUserinfo, Step{'e', "recode the userinfo", "WWWOFFLE 2.9, README.URL: username & password, 2 b and c"}},
		{decodeHost, Step{'f', "decode, cut and lower-case the host",
			"WWWOFFLE 2.9, README.URL: hostname, 2 a; CreateURL"}},
		{rewriteHost, Step{'g', "rewrite a numeric host", "WWWOFFLE 2.9, CanonicaliseHost"}},
		{dropKnownPort, Step{'h', "strip the default port", "WWWOFFLE 2.9, README.URL: port, 2"}},
		{recodePath, Step{'i', "recode the path", "WWWOFFLE 2.9, README.URL: pathname, 2 b and c"}},
		{resolveName, Step{'j', "resolve dot segments", "WWWOFFLE 2.9, CanonicaliseName"}},
		{recodeQuery, Step{'k', "recode the query", "WWWOFFLE 2.9, README.URL: arguments, 2 b"}},
	}
}

// WWWOFFLE26 is the form of a URL in WWWOFFLE 2.6, reconstructed from 2.7e: of 2.6 itself, only the documentation
// survives. Parameters begin at the first semicolon before the query. They are coded like a query and are not part of
// the path; [Split] finds them in the result. The fragment is not cut, and in the host only capitals and numbers
// change.
//
// The form is a fixed point with these exceptions: userinfo, ports and hosts as for WWWOFFLE29; numeric hosts whose
// port becomes the default port only when it is rewritten; more than one at sign before a host; and hosts with invalid
// octets.
var WWWOFFLE26 = &Profile{
	name:     "wwwoffle26",
	doc:      "The form of a URL in WWWOFFLE 2.6: parameters are separate from the path, the fragment is not cut.",
	clause:   "WWWOFFLE 2.6, README.URL",
	whole:    true,
	links:    linkURL26,
	rebuilds: true,
	telling:  true,
	steps: []step{
		{makeAbsolute, Step{'a', "make a relative link absolute", "WWWOFFLE 2.7e, LinkURL"}},
		{takeApart26, Step{'b', "write out scheme, host and path",
			"WWWOFFLE 2.6, README.URL: protocol, hostname, pathname, 1"}},
		{lowerAnyScheme, Step{'c', "lower-case the scheme", "WWWOFFLE 2.6, README.URL: protocol, 2 a"}},
		{recodeUserinfo26, Step{'d', "recode the userinfo",
			"WWWOFFLE 2.6, README.URL: username & password, 2 b and c"}},
		{lowerHost26, Step{'e', "lower-case the host", "WWWOFFLE 2.6, README.URL: hostname, 2 a"}},
		{dropKnownPort26, Step{'f', "strip the default port", "WWWOFFLE 2.6, README.URL: port, 2"}},
		{rewriteHost, Step{'g', "rewrite a numeric host", "WWWOFFLE 2.7e, CanonicaliseHost"}},
		{recodePath26, Step{'h', "recode the path", "WWWOFFLE 2.6, README.URL: pathname, 2 b and c"}},
		{resolveName, Step{'i', "resolve dot segments", "WWWOFFLE 2.7e, CanonicaliseName"}},
		{recodeParams, Step{'j', "recode the parameters", "WWWOFFLE 2.6, README.URL: parameters, 2 b"}},
		{recodeQuery, Step{'k', "recode the query", "WWWOFFLE 2.6, README.URL: arguments, 2 b"}},
	},
}

// CacheName returns the name of the file in which WWWOFFLE stores url, without the letter for the kind of file. The
// name is the MD5 of url, which must be canonical, in Base64 with "-" instead of "/" and without "=". It may contain
// "+", which the Base64 of RFC 4648, 5, does not use.
func CacheName(url []byte) string {
	sum := md5.Sum(url)
	return strings.ReplaceAll(base64.RawStdEncoding.EncodeToString(sum[:]), "/", "-")
}

// The operations of WWWOFFLE, and the operations of 2.6 that differ. Here, a host includes its port.
var (
	cutAtSign = operation{ // cutFragment for a URL that is not split yet
		due: func(r *reduction) bool { return bytes.IndexByte(r.Path, '#') >= 0 },
		do:  func(r *reduction) { r.Path, _, _ = bytes.Cut(r.Path, numberSign) },
	}
	lowerAnyScheme = operation{ // lowerScheme for all schemes
		due: func(r *reduction) bool { return hasUpper(r.Scheme) },
		do:  func(r *reduction) { lower(r.Scheme) },
	}
	takeApart        = takeApartBy(edition29)
	takeApart26      = takeApartBy(edition26)
	recodeUserinfo   = recodeUserinfoBy(edition29)
	recodeUserinfo26 = recodeUserinfoBy(edition26)
	decodeHost       = operation{
		due: func(r *reduction) bool { return hasUpper(r.Host) || wwwHost.matters(r.Host) },
		do: func(r *reduction) {
			r.Host = r.recode(r.Host, &wwwHost)
			lower(r.Host)
		},
	}
	lowerHost26 = operation{
		due: func(r *reduction) bool { return hasUpper(r.Host) },
		do:  func(r *reduction) { lower(r.Host) },
	}
	rewriteHost = operation{
		due: func(r *reduction) bool { return !isName(r.Host) },
		do: func(r *reduction) {
			n := len(r.work)
			r.work = appendHost(r.work, r.Host)
			r.Host = r.written(n)
		},
	}
	dropKnownPort   = dropKnownPortBy(edition29)
	dropKnownPort26 = dropKnownPortBy(edition26)
	recodePath      = recodePart(pathOf, &wwwPath)
	recodePath26    = recodePart(pathOf, &wwwPath26)
	resolveName     = operation{
		due: func(r *reduction) bool { return hasSlashDot(r.Path) },
		do:  func(r *reduction) { r.Path = resolvedName(r.Path) },
	}
	recodeParams = recodePart(paramsOf, &wwwQuery)
	recodeQuery  = recodePart(queryOf, &wwwQuery)
	replaceAmp   = operation{
		due: func(r *reduction) bool { return bytes.IndexByte(r.Query, '&') >= 0 },
		do:  func(r *reduction) { r.Query = withoutAmp(r.Query) },
	}
)

// edition is a version of WWWOFFLE: 2.6 or 2.9.
type edition bool

const (
	edition29 edition = false
	edition26 edition = true // also 2.7
)

func takeApartBy(e edition) operation {
	return operation{
		due: func(*reduction) bool { return true },
		do:  func(r *reduction) { r.takeApart(e) },
	}
}

func recodeUserinfoBy(e edition) operation {
	return operation{
		due: func(r *reduction) bool { return r.HasUserinfo },
		do:  func(r *reduction) { r.recodeUserinfo(e) },
	}
}

func dropKnownPortBy(e edition) operation {
	return operation{
		due: func(r *reduction) bool { return bytes.IndexByte(r.Host, ':') >= 0 },
		do:  func(r *reduction) { r.Host = withoutKnownPort(r.Host, e.knownPort(r.Scheme)) },
	}
}

// recodePart returns the operation that recodes one part of a URL.
func recodePart(part func(*Parts) *[]byte, t *octetTable) operation {
	return operation{
		due: func(r *reduction) bool { return t.matters(*part(&r.Parts)) },
		do: func(r *reduction) {
			p := part(&r.Parts)
			*p = r.recode(*p, t)
		},
	}
}

func pathOf(u *Parts) *[]byte   { return &u.Path }
func paramsOf(u *Parts) *[]byte { return &u.Params }
func queryOf(u *Parts) *[]byte  { return &u.Query }

// The codings of WWWOFFLE. WWWOFFLE first decodes and then encodes a path or userinfo; one table has the same effect.
// It decodes a host, which ends at the first invalid octet. It never decodes a query as a whole.
var (
	wwwPath     = decodedAndCoded("!$()*+,-./:;=_~")
	wwwPath26   = decodedAndCoded("!$()*+,-./:=_~")
	wwwUserinfo = decodedAndCoded("!$*+,-.=_~")
	wwwHost     = coded(true, in(":-.[]", keep, end), in(":-.[]", decode, end))
	wwwQuery    = coded(true, blankAsPlus(in("!$&()*+,-./:;=?_~|", keep, encode)),
		blankAsPlus(in("!$()*,-./:_~|", decode, upper)))
)

func decodedAndCoded(set string) octetTable {
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

// takeApart splits r.Path, which is the whole URL, by the heuristics of SplitURL. The scheme is optional, and an
// apparent scheme may be a host with a port or a username with a password. Every URL counts as absolute.
func (r *reduction) takeApart(e edition) {
	rest, _, _ := bytes.Cut(r.Path, nul)
	u := Parts{Scheme: httpScheme, hasScheme: true, HasAuthority: true}
	colonAt, slashAt, at := bytes.IndexByte(rest, ':'), bytes.IndexByte(rest, '/'), bytes.IndexByte(rest, '@')
	scheme := 0 // length of the scheme with its delimiter
	switch {
	case slashAt == 0:
	case colonAt >= 0 && slashAt == colonAt+1:
		scheme = slashAt + 1
		if bytes.HasPrefix(rest[scheme:], slash) {
			scheme++
		}
	case colonAt >= 0 && !digitFollows(rest[colonAt+1:]) && (slashAt < 0 || colonAt < slashAt) &&
		(at < 0 || 0 <= slashAt && slashAt < at):
		scheme = colonAt + 1
	}
	if scheme > 0 {
		u.Scheme, rest = rest[:colonAt], rest[scheme:]
		colonAt, slashAt = bytes.IndexByte(rest, ':'), bytes.IndexByte(rest, '/')
		at -= scheme // an at sign in the scheme does not count, but hides later at signs
	}
	switch {
	case at == 0:
		rest = rest[1:]
	case at > 0 && (slashAt < 0 || at < slashAt):
		if colonAt > at { // user@host:password@server
			if i := bytes.IndexByte(rest[colonAt:max(colonAt, slashAt)], '@'); i >= 0 &&
				bytes.IndexByte(rest[at+1:colonAt], '@') < 0 {
				at = colonAt + i
			}
		}
		u.Userinfo, u.HasUserinfo, rest = rest[:at], true, rest[at+1:]
	}
	r.Parts = u
	r.takeRestApart(rest, e)
}

// takeRestApart splits the text after the userinfo. Empty parameters and an empty query count as absent.
func (r *reduction) takeRestApart(rest []byte, e edition) {
	if i := bytes.IndexByte(rest, '?'); i >= 0 {
		rest, r.Query = rest[:i], rest[i+1:]
		r.HasQuery = len(r.Query) > 0
	}
	r.Host, r.Path = rest, slash
	if i := bytes.IndexByte(rest, '/'); i >= 0 {
		r.Host, r.Path = rest[:i], rest[i:]
	}
	local := len(r.Host) == 0
	if e == edition26 {
		local = bytes.HasPrefix(rest, slash)
		r.takeParams(rest)
	}
	if local {
		n := len(r.work)
		r.work = append(r.work, cmp.Or(r.profile.options.LocalHost, "localhost:8080")...)
		r.Host = r.written(n)
	}
}

// takeParams finds the parameters in rest, which is host and path. A semicolon in the host ends the host. The path
// still begins at the first slash, even if this slash is part of the parameters.
func (r *reduction) takeParams(rest []byte) {
	i := bytes.IndexByte(rest, ';')
	if i < 0 {
		return
	}
	r.Params = rest[i+1:]
	r.HasParams = len(r.Params) > 0
	if i >= len(r.Host) {
		r.Path = rest[len(r.Host):i]
		return
	}
	n := len(r.work)
	r.work = append(r.work, r.Path...) // otherwise the steps would write into the parameters
	r.Host, r.Path = r.Host[:i], r.written(n)
}

func digitFollows(s []byte) bool { return len(s) > 0 && s[0]-'0' < 10 }

// recodeUserinfo recodes username and password, which are separated by the first colon. 2.9 drops an empty password,
// but keeps a password that decodes to an empty string.
func (r *reduction) recodeUserinfo(e edition) {
	name, password, ok := bytes.Cut(r.Userinfo, colon)
	n := len(r.work)
	r.work = wwwUserinfo.append(r.work, name)
	if ok && (len(password) > 0 || e == edition26) {
		r.work = wwwUserinfo.append(append(r.work, ':'), password)
	}
	r.Userinfo = r.written(n)
}

// resolvedName removes dot segments from path in place and returns the remainder. path must begin with a slash.
// resolvedName follows CanonicaliseName, which differs from all RFCs: a final "." also removes its slash, a final ".."
// stays after an empty segment, and a ".." at the root has no effect.
func resolvedName(path []byte) []byte {
	w := 1
	for next := 1; ; {
		// Invariant: path[:w] is the result so far and ends with a slash.
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

// withoutAmp replaces "&amp;", in any case, by "&" in place. It makes one pass from left to right.
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

// isURL reports whether LinkURL treats a link as a whole URL. It is true if a colon precedes the first slash, or if the
// link begins with "mailto:" or, in 2.9, "javascript:".
func (e edition) isURL(link []byte) bool {
	link, _, _ = bytes.Cut(link, nul)
	colonAt := bytes.IndexByte(link, ':')
	if colonAt < 0 {
		return false
	}
	if slashAt := bytes.IndexByte(link, '/'); slashAt >= 0 && colonAt < slashAt {
		return true
	}
	return equalFold(link[:colonAt], "mailto") || e == edition29 && equalFold(link[:colonAt], "javascript")
}

// link appends to dst the URL that LinkURL makes of a link on the page base, and returns dst. The Path of the Parts is
// that whole URL, which the next step splits.
//
// The base is reduced first. A link does not inherit the userinfo, parameters, and query of the base. In 2.9, a
// fragment means the page itself, and an empty link means the page without its query; in 2.6, an empty link means
// the folder of the page. Dots are resolved in links relative to a folder, including their query.
func (p *Profile) link(dst, base, link []byte) (Parts, []byte) {
	link, _, _ = bytes.Cut(link, nul)
	e := p.links.edition()
	n := len(dst)
	dst = append(dst, base...)
	r := reduction{Parts: Parts{Path: dst[n:]}, profile: p, work: dst}
	p.take(hidden(&r))
	page, dst := r.Parts, r.work
	n = len(dst)
	root := Parts{Scheme: page.Scheme, hasScheme: true, HasAuthority: true, Host: page.Host}
	switch {
	case e == edition29 && bytes.HasPrefix(link, numberSign):
		page.Userinfo, page.HasUserinfo = nil, false
		dst = page.appendTo(dst, nil)
	case bytes.HasPrefix(link, slashes):
		dst = append(append(append(dst, page.Scheme...), ':'), link...)
	case bytes.HasPrefix(link, slash):
		dst = append(root.appendTo(dst, nil), link...)
	case e == edition29 && len(link) == 0:
		dst = append(root.appendTo(dst, nil), page.Path...)
	default:
		dst = root.appendTo(dst, nil)
		path := len(dst)
		dst = append(append(dst, page.folder()...), link...)
		dst = dst[:path+len(resolvedName(dst[path:]))]
	}
	return Parts{Path: dst[n:]}, dst
}
