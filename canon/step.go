package canon

import "bytes"

// A Step is one step of a profile, as data for messages and documentation.
type Step struct {
	Letter byte   // its place in the profile; of PDF2, its item in the list of ISO 32000-2:2020, 14.10.3.2
	Title  string // what it does, as in "step c would lower-case the scheme"
	Clause string // who says so
}

// Steps is a set of steps of one profile. The zero value is the empty set.
type Steps uint32

// Has reports whether the step with that letter is in the set.
func (s Steps) Has(letter byte) bool { return 'a' <= letter && letter <= 'z' && s>>(letter-'a')&1 != 0 }

// String returns the letters of the set in order, such as "bdg".
func (s Steps) String() string {
	var letters []byte
	for c := byte('a'); c <= 'z'; c++ {
		if s.Has(c) {
			letters = append(letters, c)
		}
	}
	return string(letters)
}

// A Change is what one step did to a URL. After is never equal to Before.
type Change struct {
	Step          Step
	Before, After string
}

// step is a row of a profile's table. It names its operation by a constant, not by a function value, so that the
// compiler sees that URLs do not escape: callers may pass []byte(s) without paying for it.
type step struct {
	op op
	Step
}

type op uint8

const (
	makeAbsolute op = iota
	cutFragment
	lowerScheme
	lowerHost
	dropLocalhost
	dropPort
	resolveDots

	followLink // WWWOFFLE 2.9
	cutAtSign  // cutFragment before the URL is taken apart
	takeApart
	recodeLogin
	decodeHost
	rewriteHost
	dropKnownPort
	recodePath
	resolveName
	recodeArgs
	replaceAmp

	followLink26 // WWWOFFLE 2.6, where it differs
	takeApart26
	recodeLogin26
	lowerHost26
	dropKnownPort26
	recodePath26
	recodeParams

	stripText // Hyvatti, after cutAtSign and before lowerScheme
	recodeText
	lowerHTTPHost
	dropPort80

	encodeUnwise // Faehnri, after makeAbsolute
	encodeExcluded
)

// resolves reports whether o is the operation that needs a base.
func (o op) resolves() bool { return o == makeAbsolute || o == followLink || o == followLink26 }

// due reports whether do would change u. It writes nothing, and for the operations of PDF and PDF2 gives the same
// answer whether or not the operations before it have been done: this is what allows Profile.Changes to look at the URL
// as it stands. Operations of other profiles may be due and then find nothing to do.
func (o op) due(u *Parts, p *Profile) bool {
	switch o {
	case makeAbsolute, followLink, followLink26:
		return false // these need a base: see Profile.resolve
	case cutFragment:
		return u.HasFragment
	case lowerScheme:
		return hasUpper(u.Scheme)
	case lowerHost:
		return u.protocol != foreign && hasUpper(u.Host)
	case dropLocalhost:
		return u.protocol == file && equalFold(u.Host, "localhost") && !u.HasUserinfo && !u.HasPort
	case dropPort:
		return u.HasPort && (isDefaultPort(u.protocol, u.Port) || p.options.DropEmptyPort && isEmptyPort(u.protocol, u.Port))
	case resolveDots:
		return u.protocol != foreign && p.rfc.hasDots(u.Path)
	case cutAtSign:
		return bytes.IndexByte(u.Path, '#') >= 0
	case recodeLogin, recodeLogin26:
		return u.HasUserinfo
	case decodeHost:
		return hasUpper(u.Host) || wwwHost.matters(u.Host)
	case rewriteHost:
		return !isName(u.Host)
	case dropKnownPort, dropKnownPort26:
		return bytes.IndexByte(u.Host, ':') >= 0
	case lowerHost26:
		return hasUpper(u.Host)
	case recodePath:
		return wwwPath.matters(u.Path)
	case recodePath26:
		return wwwPath26.matters(u.Path)
	case resolveName:
		return hasSlashDot(u.Path)
	case recodeParams:
		return wwwArgs.matters(u.Params)
	case recodeArgs:
		return wwwArgs.matters(u.Query)
	case replaceAmp:
		return bytes.IndexByte(u.Query, '&') >= 0
	case stripText:
		return p.options.FreeText
	case lowerHTTPHost:
		return u.protocol == http && hasUpper(u.Host)
	case dropPort80:
		return u.protocol == http && bytes.HasSuffix(u.Host, port80)
	}
	return true
}

// do returns u with the operation carried out; the bytes of u no longer belong to anybody else. It works in place or,
// where something may grow, appends to work, which it returns too. Parts are passed by value all over, as whatever is
// stored behind a pointer counts as escaped, and the buffer of the caller would with it.
func (o op) do(u Parts, p *Profile, work []byte) (Parts, []byte) {
	switch o {
	case cutFragment:
		u.Fragment, u.HasFragment = nil, false
	case lowerScheme:
		lower(u.Scheme)
	case lowerHost, lowerHost26, lowerHTTPHost:
		lower(u.Host)
	case dropLocalhost:
		u.Host = nil // the net_loc stays, empty: file:///etc
	case dropPort:
		u.Port, u.HasPort = nil, false
	case dropPort80:
		u.Host = bytes.TrimSuffix(u.Host, port80)
	case resolveDots:
		u.Path = p.rfc.removeDots(u.Path, u.HasAuthority)
	case cutAtSign:
		u.Path, _, _ = bytes.Cut(u.Path, numberSign)
	case takeApart, takeApart26:
		return u.takeApart(o == takeApart26, p.options.LocalHost, work)
	case recodeLogin, recodeLogin26:
		return u.recodeLogin(o == recodeLogin26, work)
	case decodeHost:
		u.Host, work = wwwHost.recode(u.Host, work)
		lower(u.Host)
	case rewriteHost:
		u.Host, work = rewrittenHost(u.Host, work)
	case dropKnownPort, dropKnownPort26:
		u.Host = withoutKnownPort(u.Host, knownPort(u.Scheme, o == dropKnownPort26))
	case recodePath:
		u.Path, work = wwwPath.recode(u.Path, work)
	case recodePath26:
		u.Path, work = wwwPath26.recode(u.Path, work)
	case resolveName:
		u.Path = resolvedName(u.Path)
	case recodeParams:
		u.Params, work = wwwArgs.recode(u.Params, work)
	case recodeArgs:
		u.Query, work = wwwArgs.recode(u.Query, work)
	case replaceAmp:
		u.Query = withoutAmp(u.Query)
	case stripText:
		u.Path = strippedText(u.Path)
	case recodeText:
		return u.recodeText(p.options.EncodeStray, work)
	case encodeUnwise:
		return u.encode(&unwise, &unwiseInHost, work)
	case encodeExcluded:
		return u.encode(&excluded, &excluded, work)
	}
	return u, work
}
