// Package join makes one source from several.
package join

import (
	"iter"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Sources returns a Source that searches several sources, in order. The original of a revisit in one of them may be in
// any other source. Closing the joined Source closes all sources.
func Sources(sources ...capture.Source) capture.Source {
	j := &joinedSource{}
	for _, s := range sources {
		if inner, ok := s.(*joinedSource); ok {
			j.sources = append(j.sources, inner.sources...)
		} else {
			j.sources = append(j.sources, s)
		}
	}
	for _, s := range j.sources {
		if a, ok := s.(capture.Archive); ok {
			j.archives = append(j.archives, a)
		}
	}
	return j
}

type joinedSource struct {
	sources  []capture.Source
	archives []capture.Archive // the sources that are archives
}

func (j *joinedSource) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	return j.each(func(s capture.Source) iter.Seq2[*capture.Candidate, error] { return s.Lookup(url) },
		func(a capture.Archive) iter.Seq2[*capture.Candidate, error] {
			return a.LookupAmong(url, urlkey.Same(url), j.archives)
		})
}

func (j *joinedSource) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return j.each(func(s capture.Source) iter.Seq2[*capture.Candidate, error] { return s.LookupAlike(url) },
		func(a capture.Archive) iter.Seq2[*capture.Candidate, error] {
			return a.LookupAmong(url, urlkey.IsAlike(url), j.archives)
		})
}

func (j *joinedSource) List(yield func(*capture.Candidate, error) bool) {
	j.each(capture.All, func(a capture.Archive) iter.Seq2[*capture.Candidate,
		error] {
		return a.ListAmong(j.archives)
	})(yield)
}

// each yields the results of look for each source. For an archive, whose captures may be revisits, it yields the
// results of inArchive instead.
func (j *joinedSource) each(look func(capture.Source) iter.Seq2[*capture.Candidate, error],
	inArchive func(capture.Archive) iter.Seq2[*capture.Candidate, error]) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		for _, s := range j.sources {
			found := look
			if a, ok := s.(capture.Archive); ok {
				found = func(capture.Source) iter.Seq2[*capture.Candidate, error] { return inArchive(a) }
			}
			for c, err := range found(s) {
				if !yield(c, err) {
					return
				}
			}
		}
	}
}

// Stats returns the sums of the statistics of all sources.
func (j *joinedSource) Stats() capture.Stats {
	var t capture.Tally
	for _, s := range j.sources {
		t.Add(s.Stats())
	}
	return t.Total()
}

func (j *joinedSource) Close() error {
	var first error
	for _, s := range j.sources {
		if err := s.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}

func (j *joinedSource) URLOf(abs string) string {
	for _, s := range j.sources {
		if l, ok := s.(capture.Locator); ok {
			if url := l.URLOf(abs); url != "" {
				return url
			}
		}
	}
	return ""
}

// Skipped returns a source without captures. Its Stats count what could not be read next to other sources.
func Skipped(s capture.Stats) capture.Source { return skippedSource{s} }

type skippedSource struct{ stats capture.Stats }

func (skippedSource) Lookup(string) iter.Seq2[*capture.Candidate, error]      { return noCandidates }
func (skippedSource) LookupAlike(string) iter.Seq2[*capture.Candidate, error] { return noCandidates }
func (skippedSource) List(func(*capture.Candidate, error) bool)               {}
func (s skippedSource) Stats() capture.Stats                                  { return s.stats }
func (skippedSource) Close() error                                            { return nil }

func noCandidates(func(*capture.Candidate, error) bool) {}
