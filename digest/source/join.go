package source

import (
	"iter"
)

// Join returns a Source that looks in each of several, in order. What a revisit in one of
// them repeats may be in any other. Closing it closes all of them.
func Join(sources ...Source) Source {
	j := &joined{}
	for _, s := range sources {
		if inner, ok := s.(*joined); ok {
			j.sources = append(j.sources, inner.sources...)
		} else {
			j.sources = append(j.sources, s)
		}
	}
	for _, s := range j.sources {
		if a, ok := s.(*archive); ok {
			j.archives = append(j.archives, a)
		}
	}
	return j
}

type joined struct {
	sources  []Source
	archives []*archive // of sources
}

func (j *joined) Lookup(url string) iter.Seq2[*Candidate, error] {
	return j.each(func(s Source) iter.Seq2[*Candidate, error] { return s.Lookup(url) },
		func(a *archive) iter.Seq2[*Candidate, error] { return a.lookup(url, sameURL(url), j.archives) })
}

func (j *joined) LookupAlike(url string) iter.Seq2[*Candidate, error] {
	return j.each(func(s Source) iter.Seq2[*Candidate, error] { return s.LookupAlike(url) },
		func(a *archive) iter.Seq2[*Candidate, error] { return a.lookup(url, alikeURL(url), j.archives) })
}

func (j *joined) list(yield func(*Candidate, error) bool) {
	j.each(All, func(a *archive) iter.Seq2[*Candidate, error] { return a.all(j.archives) })(yield)
}

// each yields what look yields for each source, or inArchive for one that may have revisits.
func (j *joined) each(look func(Source) iter.Seq2[*Candidate, error], inArchive func(*archive) iter.Seq2[*Candidate, error]) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		for _, s := range j.sources {
			found := look
			if a, ok := s.(*archive); ok {
				found = func(Source) iter.Seq2[*Candidate, error] { return inArchive(a) }
			}
			for c, err := range found(s) {
				if !yield(c, err) {
					return
				}
			}
		}
	}
}

// Stats returns the sums.
func (j *joined) Stats() Stats {
	var t tally
	for _, s := range j.sources {
		t.add(s.Stats())
	}
	return t.stats()
}

func (j *joined) Close() error {
	var first error
	for _, s := range j.sources {
		if err := s.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
