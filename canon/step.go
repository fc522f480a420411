package canon

import "bytes"

// A Step is one step of a profile, as data for messages and documentation.
type Step struct {
	Letter byte   // its item in the list of ISO 32000-2:2020, 14.10.3.2: 'a' is step 1 of the PDF Reference
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
)

// due reports whether do would change u. It writes nothing, and gives the same answer whether or not the operations
// before it have been done: this is what allows Profile.Changes to look at the URL as it stands.
func (o op) due(u *Parts, r rfc) bool {
	switch o {
	case cutFragment:
		return u.HasFragment
	case lowerScheme:
		return hasUpper(u.Scheme)
	case lowerHost:
		return u.protocol != foreign && hasUpper(u.Host)
	case dropLocalhost:
		return u.protocol == file && equalFold(u.Host, "localhost") && !u.HasUserinfo && !u.HasPort
	case dropPort:
		return u.HasPort && isDefaultPort(u.protocol, u.Port)
	case resolveDots:
		return u.protocol != foreign && r.hasDots(u.Path)
	}
	return false // makeAbsolute needs a base: see rfc.resolve
}

// do returns u with the operation carried out, in place: the bytes of u no longer belong to anybody else.
func (o op) do(u Parts, r rfc) Parts {
	switch o {
	case cutFragment:
		u.Fragment, u.HasFragment = nil, false
	case lowerScheme:
		lower(u.Scheme)
	case lowerHost:
		lower(u.Host)
	case dropLocalhost:
		u.Host = nil // the net_loc stays, empty: file:///etc
	case dropPort:
		u.Port, u.HasPort = nil, false
	case resolveDots:
		u.Path = r.removeDots(u.Path, u.HasAuthority)
	}
	return u
}

// A protocol says which steps apply to a URL, by its scheme.
type protocol uint8

const (
	foreign protocol = iota // a scheme that the clause does not speak of
	none                    // a relative URL
	http
	https
	ftp
	file
)

func protocolOf(scheme []byte) protocol {
	switch {
	case len(scheme) == 0:
		return none
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

// isDefaultPort compares port as a decimal number with the two defaults of the clause, which does not name 443. An
// empty port is no number.
func isDefaultPort(p protocol, port []byte) bool {
	switch p {
	case http:
		return string(bytes.TrimLeft(port, "0")) == "80"
	case ftp:
		return string(bytes.TrimLeft(port, "0")) == "21"
	}
	return false
}

func hasUpper(b []byte) bool {
	for _, c := range b {
		if c-'A' < 26 {
			return true
		}
	}
	return false
}

// lower converts ASCII capitals; other bytes, escapes and UTF-8 among them, are not text to it.
func lower(b []byte) {
	for i, c := range b {
		if c-'A' < 26 {
			b[i] = c + ('a' - 'A')
		}
	}
}

// equalFold reports whether b is word in any case. The word consists of lower-case letters, for which setting bit 5
// is lower-casing and maps no other byte to a letter of it.
func equalFold(b []byte, word string) bool {
	if len(b) != len(word) {
		return false
	}
	for i, c := range b {
		if c|0x20 != word[i] {
			return false
		}
	}
	return true
}
