package source

import (
	"iter"
)

// Find yields what src keeps of a URL, and of those that redirects in src lead
// to from there, but for the redirects themselves. If that is more than can be looked
// at, the last error is a *TooMany.
func Find(src Source, url string) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		seen := map[string]bool{}
		n := 0
		for todo := []string{url}; len(todo) > 0 && len(seen) <= maxRedirects; todo = todo[1:] {
			k := key(todo[0])
			if seen[k] {
				continue
			}
			seen[k] = true
			for c, err := range src.Lookup(todo[0]) {
				if n++; n > maxKept {
					yield(nil, &TooMany{url, maxKept})
					return
				}
				if err == nil && c.Redirect != "" {
					todo = append(todo, resolve(c.URL, c.Redirect))
					continue
				}
				if !yield(c, err) {
					return
				}
			}
		}
	}
}
