package source

import (
	"iter"
)

// Join returns a Source that looks in each of several, in order. Closing it
// closes all of them.
func Join(sources ...Source) Source { return joined(sources) }

type joined []Source

func (j joined) Lookup(url string) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		for _, s := range j {
			for c, err := range s.Lookup(url) {
				if !yield(c, err) {
					return
				}
			}
		}
	}
}

// Stats returns the sums.
func (j joined) Stats() Stats {
	var t tally
	for _, s := range j {
		t.add(s.Stats())
	}
	return t.stats()
}

func (j joined) Close() error {
	var first error
	for _, s := range j {
		if err := s.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// maxRedirects is the number of redirects that Find follows.
const maxRedirects = 10

// Find yields what src keeps of a URL, and of those that redirects in src lead
// to from there, but for the redirects themselves.
func Find(src Source, url string) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		seen := map[string]bool{}
		for todo := []string{url}; len(todo) > 0 && len(seen) <= maxRedirects; todo = todo[1:] {
			k := key(todo[0])
			if seen[k] {
				continue
			}
			seen[k] = true
			for c, err := range src.Lookup(todo[0]) {
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
