package source

import (
	"iter"
)

// Join returns a Source that looks in each of several, in order. Closing it
// closes all of them.
func Join(sources ...Source) Source { return joined(sources) }

type joined []Source

func (j joined) Lookup(url string) iter.Seq2[*Candidate, error] {
	return j.lookup(func(s Source) iter.Seq2[*Candidate, error] { return s.Lookup(url) })
}

func (j joined) LookupAlike(url string) iter.Seq2[*Candidate, error] {
	return j.lookup(func(s Source) iter.Seq2[*Candidate, error] { return s.LookupAlike(url) })
}

// lookup yields what look yields for each source.
func (j joined) lookup(look func(Source) iter.Seq2[*Candidate, error]) iter.Seq2[*Candidate, error] {
	return func(yield func(*Candidate, error) bool) {
		for _, s := range j {
			for c, err := range look(s) {
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
