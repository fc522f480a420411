package source

import (
	"cmp"
	"fmt"
	"iter"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// maxRedirects is the maximum number of redirects that Find follows. Browsers have such a limit too, of 20.
const maxRedirects = 10

// Find yields the captures of a URL in src. It follows redirects in src, up to a limit, and yields the captures of
// their targets, but not the redirects themselves. A redirect to a URL without captures gives a capture without a Body.
func Find(src Source, url string) iter.Seq2[*capture.Candidate, error] {
	type step struct {
		url   string
		doubt string // reason why this may not be the requested URL; empty if it is certain
		from  string // place of the redirect to url; empty for the requested URL
	}
	return func(yield func(*capture.Candidate, error) bool) {
		seen := map[string]bool{} // keys of looked-up URLs
		for todo := []step{{url: url}}; len(todo) > 0 && len(seen) <= maxRedirects; todo = todo[1:] {
			s := todo[0]
			key := urlkey.Of(s.url)
			if seen[key] {
				continue
			}
			seen[key] = true
			found := false
			for c, err := range src.Lookup(s.url) {
				found = true
				if err == nil {
					c.Doubt = cmp.Or(s.doubt, c.Doubt)
				}
				if err == nil && c.Redirect != "" {
					todo = append(todo, step{urlkey.Resolve(c.URL, c.Redirect), c.Doubt, c.Where})
				} else if !yield(c, err) {
					return
				}
			}
			missing := &capture.Candidate{URL: s.url, Where: s.from,
				Doubt: fmt.Sprintf("it redirects to %.200q, which no source has", s.url)}
			if !found && s.from != "" && !yield(missing, nil) {
				return
			}
		}
	}
}
