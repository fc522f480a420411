package canon

import "bytes"

// rfc is the RFC that a profile follows where RFC 1808 and RFC 3986 differ: for parameters, relative URLs, and dot
// segments.
type rfc uint8

const (
	rfc1808 rfc = iota
	rfc3986
)

// links is the way in which a profile makes a relative URL absolute.
type links uint8

const (
	rfcLinks  links = iota // as in the rfc of the profile
	linkURL29              // as in LinkURL of WWWOFFLE 2.9
	linkURL26              // as in LinkURL of WWWOFFLE 2.6
	noLinks                // relative URLs stay relative
)

func (l links) edition() edition { return l == linkURL26 }

// resolve writes the absolute form of ref, which must be relative, after dst, and returns its parts. dst should have
// room for the form. base is the URL of the page with ref. resolve follows RFC 1808, 4, or RFC 3986, 5.2.2 and 5.2.3,
// and removes dot segments only where the RFC demands this.
//
// In RFC 1808, 4, an empty part of ref counts as absent. resolve does not get the parts by splitting the result: for
// ";x" on "http://h", RFC 1808 gives "http://h;x", and splitting would make ";x" a part of the host.
func (r rfc) resolve(dst, base, ref []byte) Parts {
	if r == rfc1808 && len(ref) == 0 { // step 2a, which also inherits the fragment
		return split(append(dst, base...)[len(dst):], r)
	}
	u, b := split(ref, r), split(base, r)
	var folder []byte // the part of the path that comes from the base
	dots := r == rfc3986
	switch {
	case u.HasAuthority && (r == rfc3986 || !u.authorityEmpty()): // RFC 1808, 4, step 3
		u.Scheme, u.protocol = b.Scheme, b.protocol
	default:
		u.Scheme, u.protocol = b.Scheme, b.protocol
		u.Userinfo, u.Host, u.Port = b.Userinfo, b.Host, b.Port
		u.HasAuthority, u.HasUserinfo, u.HasPort = b.HasAuthority, b.HasUserinfo, b.HasPort
		switch {
		case len(u.Path) == 0: // step 5
			dots = false
			u.Path = b.Path
			if len(u.Params) > 0 {
				break // 5a
			}
			u.Params, u.HasParams = b.Params, b.HasParams
			if len(u.Query) > 0 || r == rfc3986 && u.HasQuery {
				break // 5b
			}
			u.Query, u.HasQuery = b.Query, b.HasQuery
		case u.Path[0] == '/': // step 4
		default: // step 6
			dots = true
			folder = b.folder()
		}
	}
	if !u.HasAuthority && bytes.HasPrefix(u.Path, slashes) {
		u.HasAuthority = true // "////g" on a base without authority: an empty authority keeps the path a path
	}
	u = u.in(u.appendTo(dst, folder)[len(dst):], len(folder))
	if dots {
		u.Path = r.removeDots(u.Path, u.HasAuthority)
	}
	return u
}

// folder returns the path of a base up to and including its last slash. RFC 1808 does not cover a base without a path;
// here, the result of "g" on "http://h" is not "http://hg".
func (u *Parts) folder() []byte {
	if len(u.Path) == 0 && u.HasAuthority {
		return slash
	}
	return u.Path[:bytes.LastIndexByte(u.Path, '/')+1]
}
