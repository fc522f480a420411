// Package canon reduces URLs to the canonical form in which Web Capture uses them as keys.
//
//	key := canon.URL("HTTP://WWW.Example.com:80/a/./b#top") // http://www.example.com/a/b
//
// Most programs need only [URL]. To reduce many URLs, call [Profile.Append] with a buffer. For relative URLs, call
// [Profile.Resolve]. To test whether a key is canonical, call [Profile.Changes]; to show each step, [Profile.Trace].
//
// The URLS name tree of a PDF file maps URLs to content sets. A reader looks up a page by the bytes of its URL, so
// all spellings of a URL must be reduced to one. This package only reduces URLs. It does not read PDF files, and it
// depends only on the standard library.
//
// [EncodeComponent] encodes and [Decode] decodes, each in one pass; [DoubleCoded] reports whether a second pass of
// decoding would change the result. [Split] finds the parts of a URL, and [CacheName] the name of its file in the
// cache of WWWOFFLE.
//
// A [Profile] is one published way to reduce URLs. [PDF] and [PDF2] differ only in the steps for relative URLs and dot
// segments, mainly for leading ".." segments and semicolons. The other profiles follow programs and authors of that
// time. [Diagnose] uses them to explain which program may have written a key that is not canonical.
//
// URLs are byte strings, and any byte string is legal input. There are no errors. Bytes that no step mentions are
// copied. PDF and PDF2 decode nothing and trim nothing. Time is linear in the length of the input, except that SURT
// sorts the query.
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
	whole    bool // the URL is not split at first: Path is the whole URL until a step splits it
	rebuilds bool // the steps rebuild the URL, which may grow; other profiles only shorten it in place
	telling  bool // a URL in this form hints at the program that wrote it: see Diagnose
	steps    []step
	options  Options
}

// Options are choices that the sources of the profiles leave open. The zero value is the default of each profile.
type Options struct {
	LocalHost string // WWWOFFLE: host and port of a URL without a host; if empty, "localhost:8080"
	FreeText  bool   // Hyvatti: strip the "<URL:" and < > " that surround a URL in text
}

// With returns a copy of p with the options o. An option that does not apply to p has no effect.
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

// Clause returns the clause of the standard, or the other text, that p follows.
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
// A relative URL stays relative, because there is no base; the other steps apply as usual. (The WWWOFFLE profiles
// treat every URL as absolute and guess its parts.) For an absolute URL the canonical form of PDF and PDF2 is a fixed
// point: Append leaves it unchanged. The clause covers only the schemes http, https, ftp, and file. PDF and PDF2 leave
// URLs with other schemes unchanged.
//
// PDF and PDF2 allocate only if len(dst)+len(url) exceeds the capacity of dst. The other profiles also work in the
// spare capacity of dst, and allocate if it is too small; 16*len(url)+256 spare bytes are always enough. SURT always
// allocates.
func (p *Profile) Append(dst, url []byte) []byte {
	n := len(dst)
	if p.rebuilds {
		dst = append(dst, url...)
		return p.rebuild(dst, n, p.split(dst[n:]))
	}
	end := len(url)
	if i := bytes.IndexByte(url, '#'); i >= 0 {
		end = i
	}
	if capitals, ok := plain(url[:end]); ok {
		dst = append(dst, url[:end]...)
		lower(dst[n : n+capitals])
		return dst
	}
	dst = append(dst, url...)
	return p.reduce(dst[:n], split(dst[n:], p.rfc))
}

// Resolve is Append with an additional first step that makes a relative ref absolute. base is the URL of the page
// that contains ref, canonical or not. If base is empty, no base is known (RFC 1808, 4, step 1), and the first step
// changes nothing. Profiles without a rule for relative URLs ignore base: see [Profile.ResolvesRelative].
//
// The first step leaves an absolute ref unchanged. But WWWOFFLE treats most references without a slash as relative,
// such as "news:a".
//
// PDF and PDF2 allocate only if len(dst)+len(base)+len(ref)+1 exceeds the capacity of dst; the other profiles allocate
// if the spare capacity of dst is too small. Neither base nor ref may share memory with dst from len(dst) on.
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

// ResolvesRelative reports whether p has a rule for relative URLs. Hyvatti and SURT have none.
func (p *Profile) ResolvesRelative() bool { return p.links != noLinks }

// Changes returns the steps with which Append changes url. The result is empty if and only if Append copies url
// unchanged. It never includes the step that resolves relative URLs. For PDF and PDF2, Changes does not allocate.
//
// For example, PDF.Changes returns no step for "http://h/../x", but PDF2.Changes returns step g.
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
// as in Resolve; base may be empty. The first Before is url, and each further Before is the preceding After. The last
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

// split returns the parts of url, as input of the first step.
func (p *Profile) split(url []byte) Parts {
	if p.whole {
		return Parts{Path: url}
	}
	return split(url, p.rfc)
}

// resolves reports whether p may reduce ref differently with base than without it.
func (p *Profile) resolves(base, ref []byte) bool {
	if len(base) == 0 {
		return false
	}
	switch p.links {
	case rfcLinks:
		return schemeEnd(ref) == 0
	case linkURL29, linkURL26:
		return !p.links.edition().isURL(ref)
	}
	return false
}

// resolve returns the parts of the absolute form of ref, and dst. base is the URL of the page. The parts lie in the
// returned dst, after its original content. It is reallocated if its capacity is too small.
func (p *Profile) resolve(dst, base, ref []byte) (Parts, []byte) {
	if p.whole {
		return p.link(dst, base, ref)
	}
	n := len(dst)
	size := len(base) + len(ref) + 1
	dst = slices.Grow(dst, size)
	return p.rfc.resolve(dst, base, ref), dst[:n+size]
}

// reduce applies the steps of p that are due to u, in place, and appends the result to dst. u lies in the spare
// capacity of dst.
func (p *Profile) reduce(dst []byte, u Parts) []byte {
	r := reduction{Parts: u, profile: p}
	p.take(hidden(&r))
	return r.appendTo(dst, nil)
}

// rebuild is reduce for profiles that may lengthen a URL. u lies in dst[n:]. The steps append their output to dst; at
// the end, the result replaces dst[n:].
func (p *Profile) rebuild(dst []byte, n int, u Parts) []byte {
	r := reduction{Parts: u, profile: p, work: dst}
	p.take(hidden(&r))
	end := len(r.work)
	dst = r.appendTo(r.work, nil)
	return append(dst[:n], dst[end:]...)
}
