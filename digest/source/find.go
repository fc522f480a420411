package source

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Find yields the captures of a URL in src. It follows redirects in src, up to a limit, and yields the captures of
// their targets, but not the redirects themselves. A redirect to a URL without captures gives a capture without a Body.
//
// If src has only doubtful captures of the canonical form of the URL, Find also yields the results of LookupAlike.
// Their Doubt and Where say how they were found.
func Find(src capture.Source, url string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		f := finder{src: src, yield: yield, seen: map[string]bool{}, todo: []step{{url: url}}}
		for len(f.todo) > 0 && len(f.seen) <= maxRedirects {
			s := f.todo[0]
			f.todo = f.todo[1:]
			k := urlkey.Of(s.url)
			if f.seen[k] {
				continue
			}
			f.seen[k] = true
			if !f.look(s) {
				return
			}
		}
	}
}

// finder searches the captures of a URL.
type finder struct {
	src   capture.Source
	yield func(*capture.Candidate, error) bool
	seen  map[string]bool // keys of looked-up URLs
	todo  []step
}

// step is a URL to look up.
type step struct {
	url   string
	doubt string // reason why this may not be the requested URL; empty if it is certain
	from  string // place of the redirect to url; empty for the requested URL
}

// look looks up one URL. It returns false if the search must stop.
func (f *finder) look(s step) bool {
	found, certain := 0, false
	for c, err := range f.src.Lookup(s.url) {
		found++
		certain = certain || err == nil && c.Doubt == ""
		if !f.take(c, err, s.doubt) {
			return false
		}
	}
	if certain {
		return true
	}
	for c, err := range f.src.LookupAlike(s.url) {
		found++
		doubt := "the capture is of a similar URL"
		if err == nil {
			other := *c
			other.Where += ", found as " + c.URL
			if _, at, ok := urlkey.Replayed(c.URL); ok {
				other.Time, doubt = at, "a web archive replayed the capture"
			}
			c = &other
		}
		if !f.take(c, err, cmp.Or(s.doubt, doubt)) {
			return false
		}
	}
	if found > 0 || s.from == "" {
		return true
	}
	return f.yield(&capture.Candidate{URL: s.url, Where: s.from,
		Doubt: fmt.Sprintf("it redirects to %.200q, which no source has", s.url)}, nil)
}

// take yields a candidate, or records the target of its redirect. doubt is the reason why the candidate may be of
// another URL; empty if there is none.
func (f *finder) take(c *capture.Candidate, err error, doubt string) bool {
	if err != nil {
		return f.yield(nil, err)
	}
	doubt = cmp.Or(doubt, c.Doubt)
	if c.Redirect != "" {
		f.todo = append(f.todo, step{urlkey.Resolve(c.URL, c.Redirect), doubt, c.Where})
		return true
	}
	if doubt != c.Doubt {
		other := *c
		other.Doubt = doubt
		c = &other
	}
	return f.yield(c, nil)
}
