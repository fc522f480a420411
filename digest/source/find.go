package source

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Find yields the captures of a URL in src. It follows redirects in src, up to a limit, and yields the captures of
// their targets, but not the redirects themselves. If there are too many captures, the last error is a *TooMany. A
// certain redirect to a URL without certain captures gives a *DeadEnd.
//
// If src has no certain capture of the canonical form of the URL, Find also yields the results of LookupAlike. These
// results are Uncertain, and Where says how they were found.
func Find(src capture.Source, url string) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		f := finder{src: src, url: url, yield: yield, seen: map[string]bool{}, todo: []step{{url: url, certain: true}}}
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
	url   string
	yield func(*capture.Candidate, error) bool
	n     int             // captures found so far
	seen  map[string]bool // keys of looked-up URLs
	todo  []step
}

// step is a URL to look up. certain means that this is the requested URL or the target of certain redirects from it.
type step struct {
	url     string
	certain bool
	from    string // place of the redirect to url; empty for the requested URL
}

// look looks up one URL. It returns false if the search must stop.
func (f *finder) look(s step) bool {
	has := false
	for c, err := range f.src.Lookup(s.url) {
		has = has || err == nil && !c.Uncertain
		if !f.take(c, err, s.certain) {
			return false
		}
	}
	if has {
		return true
	}
	for c, err := range f.src.LookupAlike(s.url) {
		if err == nil {
			c = loosely(c)
		}
		if !f.take(c, err, false) {
			return false
		}
	}
	return s.from == "" || !s.certain || f.yield(nil, &DeadEnd{s.from, s.url})
}

// take yields a candidate, or records the target of its redirect.
func (f *finder) take(c *capture.Candidate, err error, certain bool) bool {
	if f.n++; f.n > capture.MaxKept {
		f.yield(nil, &TooMany{f.url, capture.MaxKept})
		return false
	}
	if err != nil {
		return f.yield(nil, err)
	}
	if c.Redirect != "" {
		f.todo = append(f.todo, step{urlkey.Resolve(c.URL, c.Redirect), certain, c.Where})
		return true
	}
	if !certain && !c.Uncertain {
		other := *c
		other.Uncertain = true
		c = &other
	}
	return f.yield(c, nil)
}

// loosely returns a copy of a candidate, marked as Uncertain because it was found under a similar URL.
func loosely(c *capture.Candidate) *capture.Candidate {
	other := *c
	other.Data = cmp.Or(c.Data, c.Where)
	other.Where += ", found as " + c.URL
	return &other
}

// DeadEnd means that a capture of a URL redirects to a URL without certain captures.
type DeadEnd struct {
	Where string // place of the capture
	To    string
}

func (e *DeadEnd) Error() string {
	return fmt.Sprintf("%s redirects to %.200q, which no source has", e.Where, e.To)
}

// TooMany means that a URL has more than Limit captures, so some captures were skipped.
type TooMany struct {
	URL   string
	Limit int
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("more than %d captures of %.200q; webcap skips the others", e.Limit, e.URL)
}
