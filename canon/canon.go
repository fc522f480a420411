// Package canon reduces URLs to the canonical form in which Web Capture uses them as keys.
//
//	key := canon.URL("HTTP://WWW.Example.com:80/a/./b#top") // http://www.example.com/a/b
//
// [URL] is what most programs need. Programs that reduce many URLs call [Profile.Append] with a buffer of their
// own, programs that meet relative URLs call [Profile.Resolve], programs that judge keys call [Profile.Changes],
// and programs that explain themselves call [Profile.Trace].
//
// The URLS name tree of a PDF file maps URLs to content sets. A reader looks up a page by the bytes of its URL, so
// all spellings of a URL must be reduced to one. This package does only that. It does not read PDF files and
// depends only on the standard library.
//
// [EncodeComponent] and [Decode] do one pass of coding each; [DoubleCoded] reports whether a second pass would
// change the meaning. [Split] finds the parts of a URL, and [CacheName] its file in the cache of WWWOFFLE.
//
// A [Profile] is one published way to reduce URLs. [PDF] and [PDF2] differ only in one step, the handling of dot
// segments and relative URLs, and there mainly in leading ".." segments and semicolons. The other profiles follow
// programs and authors of the time. They explain where a key that is not canonical may come from ([Diagnose]).
//
// URLs are bytes here. Every byte string is legal input. There are no errors, and bytes that no step mentions are
// copied. PDF and PDF2 decode nothing and trim nothing. Time is linear in the length of the input.
package canon

import (
	"bytes"
	"slices"
)

// URL returns the canonical form of raw under the profile [PDF]. A relative URL stays relative, see
// [Profile.Resolve].
func URL(raw string) string {
	var buf [256]byte // most URLs fit; then only a changed URL costs an allocation
	url := append(buf[:0], raw...)
	url = PDF.Append(url[:0], url)
	if string(url) == raw {
		return raw
	}
	return string(url)
}

// Profile is one published way of reducing URLs to a canonical form, as an ordered list of steps. Profiles are
// immutable and safe for concurrent use; they are compared by pointer.
type Profile struct {
	name     string
	doc      string
	clause   string
	rfc      rfc
	links    links
	whole    bool // its first step takes the URL apart; until then, all of it is the path
	rebuilds bool // its steps rebuild the URL, which may grow; other profiles only shorten it in place
	telling  bool // a URL in its form hints at the program that wrote it: see Diagnose
	steps    []step
	options  Options
}

// Options are choices that the sources of the profiles leave open. The zero value is the default of each profile.
type Options struct {
	LocalHost     string // WWWOFFLE: host and port of a URL without a host; if empty, "localhost:8080"
	DropEmptyPort bool   // PDF, PDF2: an empty port of http, https or ftp is stripped, as in "http://h:/"
	EncodeStray   bool   // Hyvatti: encode a percent sign that starts no escape, so that the result is a fixed point
	FreeText      bool   // Hyvatti: strip the "<URL:" and ">" that surround a URL in text
}

// With returns p with other options. An option that p does not know has no effect.
func (p *Profile) With(o Options) *Profile {
	q := *p
	q.options = o
	return &q
}

// Profiles returns all profiles: first those of PDF, oldest standard first, then the others. The caller owns the
// slice.
func Profiles() []*Profile {
	return []*Profile{PDF, PDF2, WWWOFFLE29, WWWOFFLE29E, WWWOFFLE26, Hyvatti, Faehnri, SURT}
}

// Lookup returns the profile with this exact name; ok is false if there is none.
func Lookup(name string) (p *Profile, ok bool) {
	for _, p := range Profiles() {
		if p.name == name {
			return p, true
		}
	}
	return nil, false
}

// Name returns the name by which [Lookup] finds p, such as "pdf2".
func (p *Profile) Name() string { return p.name }

// Doc returns one sentence that describes p.
func (p *Profile) Doc() string { return p.doc }

// Clause returns the clause of the standard that p follows.
func (p *Profile) Clause() string { return p.clause }

// Steps returns the steps of p in their order. The caller owns the slice.
func (p *Profile) Steps() []Step {
	steps := make([]Step, len(p.steps))
	for i, s := range p.steps {
		steps[i] = s.Step
	}
	return steps
}

// Append appends the canonical form of url to dst and returns the extended buffer. url may share memory with dst,
// so Append(url[:0], url) reduces url in place. Otherwise Append does not write to url.
//
// A relative URL stays relative, because there is no base; the other steps are taken if they apply. (WWWOFFLE
// treats no URL as relative: it guesses.) For an absolute URL the canonical form of PDF and PDF2 is a fixed point:
// Append leaves it unchanged. The clause does not cover schemes other than http, https, ftp, and file; there PDF
// and PDF2 only lower-case the scheme and cut the fragment.
//
// PDF and PDF2 allocate only if len(dst)+len(url) exceeds the capacity of dst. The other profiles also work in the
// spare capacity of dst, and allocate if it runs out; 16 times len(url) and 256 bytes are always enough. SURT
// always allocates.
func (p *Profile) Append(dst, url []byte) []byte {
	n := len(dst)
	if p.rebuilds {
		dst = append(dst, url...)
		return p.rebuild(dst, n, p.split(dst[n:]))
	}
	if i := bytes.IndexByte(url, '#'); i >= 0 {
		url = url[:i]
	}
	capitals, ok := plain(url)
	dst = append(dst, url...)
	if ok {
		lower(dst[n : n+capitals])
		return dst
	}
	return p.reduce(dst[:n], split(dst[n:], p.rfc))
}

// Resolve is Append with an additional first step that makes a relative ref absolute. base is the URL of the page
// that contains ref, canonical or not. An absolute ref does not change in this step. The same holds for any ref if
// base is empty, which means that no base is known (RFC 1808, 4, step 1). Hyvatti has no rule for relative URLs and
// ignores base.
//
// There is one exception: RFC 3986, 5.2.2, also removes dot segments from absolute references of any scheme. Given
// a base, PDF2 and Faehnri do the same.
//
// PDF and PDF2 allocate only if len(dst)+len(base)+len(ref)+1 exceeds the capacity of dst, the other profiles if
// its spare capacity runs out. Neither base nor ref may share memory with dst from len(dst) on.
func (p *Profile) Resolve(dst, base, ref []byte) []byte {
	if !p.resolves(base, ref) {
		return p.Append(dst, ref)
	}
	n := len(dst)
	u, dst := p.resolve(dst, base, ref)
	if p.rebuilds {
		return p.rebuild(dst, n, u)
	}
	return p.reduce(dst[:n], u)
}

// Changes returns the steps that change url when Append takes them one after the other. The result is empty exactly
// if Append copies url unchanged. It never includes the step that resolves relative URLs. Under PDF and PDF2 it
// does not allocate.
//
// "http://h/../x", for instance, is canonical under PDF, but PDF2.Changes has step g.
func (p *Profile) Changes(url []byte) Steps {
	var changes Steps
	if p.rebuilds {
		for _, c := range p.Trace(nil, url) {
			changes |= 1 << (c.Step.Letter - 'a')
		}
		return changes
	}
	if bytes.IndexByte(url, '#') < 0 {
		if capitals, ok := plain(url); ok && capitals == 0 {
			return 0
		}
	}
	r := reduction{Parts: split(url, p.rfc), profile: p}
	p.look(hidden(&r))
	return r.due
}

// Trace returns the steps that change url, in order, with the URL before and after each. Relative URLs are resolved
// as in Resolve; base may be empty. The first Before is url, each further one is the preceding After, and the last
// After is the result of Resolve (of Append if base is empty).
func (p *Profile) Trace(base, url []byte) []Change {
	var changes []Change
	var text []byte
	now := string(url)
	r := reduction{Parts: p.split(bytes.Clone(url)), profile: p}
	for i, s := range p.steps {
		switch {
		case i == 0 && p.resolves(base, url):
			r.Parts, r.work = p.resolve(nil, base, url)
		case s.due(&r):
			s.do(&r)
		default:
			continue
		}
		if text = r.appendTo(text[:0], nil); string(text) != now {
			changes = append(changes, Change{s.Step, now, string(text)})
			now = string(text)
		}
	}
	return changes
}

// split returns the parts of url that the first step gets.
func (p *Profile) split(url []byte) Parts {
	if p.whole {
		return Parts{Path: url}
	}
	return split(url, p.rfc)
}

// resolves reports whether p reduces ref differently with base than without it.
func (p *Profile) resolves(base, ref []byte) bool {
	if len(base) == 0 {
		return false
	}
	switch p.links {
	case rfcLinks: // a profile that rebuilds has no step g, so makeAbsolute removes the dot segments
		return p.rfc.resolves(ref) || p.rebuilds && p.rfc == rfc3986
	case linkURL29, linkURL26:
		return !p.links.edition().isURL(ref)
	}
	return false
}

// resolve returns the absolute form of ref on the page base, in the spare memory of dst. If p needs more memory,
// the result includes it.
func (p *Profile) resolve(dst, base, ref []byte) (Parts, []byte) {
	if p.whole {
		return p.link(dst, base, ref)
	}
	n := len(dst)
	size := len(base) + len(ref) + 1
	dst = slices.Grow(dst, size)
	return p.rfc.resolve(dst, base, ref), dst[:n+size]
}

// reduce takes each step of p that is due on u, in place, and appends the result to dst. u lies in the spare
// capacity of dst.
func (p *Profile) reduce(dst []byte, u Parts) []byte {
	r := reduction{Parts: u, profile: p}
	p.take(hidden(&r))
	return r.appendTo(dst, nil)
}

// rebuild is reduce for profiles under which a URL may grow. u lies in dst[n:], to which the steps append their
// output; the result then replaces all of dst[n:].
func (p *Profile) rebuild(dst []byte, n int, u Parts) []byte {
	r := reduction{Parts: u, profile: p, work: dst}
	p.take(hidden(&r))
	end := len(r.work)
	dst = r.appendTo(r.work, nil)
	return append(dst[:n], dst[end:]...)
}
