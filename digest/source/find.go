package source

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Find yields what src keeps of a URL, and of those that redirects in src lead
// to from there, but for the redirects themselves. If that is more than can be looked
// at, the last error is a *TooMany. A redirect to what src has nothing of is a *DeadEnd.
//
// Where src has nothing for certain of a URL in its canonical form, Find yields what
// LookupAlike has, too: it is Uncertain, and Where says how it was found.
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

// finder looks for what is kept of a URL.
type finder struct {
	src   capture.Source
	url   string
	yield func(*capture.Candidate, error) bool
	n     int             // of what was found so far
	seen  map[string]bool // the keys of URLs that were looked up
	todo  []step
}

// step is a URL that is to be looked up, and whether it is certain that the one which
// is looked for leads there.
type step struct {
	url     string
	certain bool
	from    string // where the redirect to it is; empty for the URL that is looked for
}

// look looks up one URL. It reports whether more is wanted.
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

// take yields a candidate, or notes where it redirects to.
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

// loosely returns a candidate that says it is not of the very URL that was looked up.
func loosely(c *capture.Candidate) *capture.Candidate {
	other := *c
	other.Data = cmp.Or(c.Data, c.Where)
	if c.URL == "" {
		other.Where += ", found by its name"
	} else {
		other.Where += ", found as " + c.URL
	}
	return &other
}

// DeadEnd says that a capture of a URL redirects to one of which the source has nothing.
type DeadEnd struct {
	Where string // the capture
	To    string
}

func (e *DeadEnd) Error() string {
	return fmt.Sprintf("%s redirects to %.200q, which no source has", e.Where, e.To)
}

// TooMany says that more than Limit things are kept of a URL, so that not all of them
// are looked at.
type TooMany struct {
	URL   string
	Limit int
}

func (e *TooMany) Error() string {
	return fmt.Sprintf("more than %d things are kept of %.200q; the others are not looked at", e.Limit, e.URL)
}
