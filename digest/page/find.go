package page

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source"
)

// File describes a file: its identifier, media type, and place.
type File struct {
	ID        digest.ID // the MD5 of its data, without codings
	URL       string    // URL after redirects; empty if there was no redirect
	Where     string    // for messages
	MediaType string    // empty if unknown

	// Doubt is the first reason why the data may differ from the captured data, or why there are no data. It is empty
	// if the file is certain.
	Doubt string

	// Capture is the candidate with the file; nil if the file is not from a source. Number is the index of Capture
	// among the candidates of the URL, from 1; 0 without a source.
	Capture *source.Candidate
	Number  int

	// Sums describes the data. It is valid if Readable.
	Sums     source.Sums
	Readable bool // the data could be read
}

// Refers reports whether the file may have references. HTML, XML, SVG, and style sheets may.
func (f *File) Refers() bool { return grammarOf(f.MediaType) != opaque }

// HasText reports whether the text of the file is known. That of a PDF file, or of an image other than SVG, is not.
func (f *File) HasText() bool {
	t := essence(f.MediaType)
	return t != "application/pdf" && t != "application/x-pdf" && (!strings.HasPrefix(t, "image/") || f.Refers())
}

// Search finds files in a source, and remembers their identifiers. It is safe for concurrent use.
//
// A Search has a budget in proportion to the size of the source, even if many URLs or redirects lead to the same data.
// When the budget is exceeded, the Search stops reading, and Over returns an error.
type Search struct {
	src   source.Source
	meter *meter.Meter

	mu     sync.Mutex
	sums   map[string]*sumResult // by place of the candidate
	errs   []error
	more   int
	capped error // see Capped
}

// sumResult is the result of reading the data of a candidate.
type sumResult struct {
	once sync.Once
	sums source.Sums
	err  error
}

// FromSource returns a Search in src.
func FromSource(src source.Source) *Search {
	m := meter.New(src.Stats().Bytes)
	return &Search{src: src.Metered(m), meter: m, sums: map[string]*sumResult{}}
}

// Over returns meter.Over if the search has exceeded its budget. The results then depend on the order of calls.
func (s *Search) Over() error { return s.meter.Over() }

// Capped returns an error that names a limit that was reached so far; nil if none was reached.
func (s *Search) Capped() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.capped
}

// isCap reports whether an error means that a limit was reached.
func isCap(err error) bool {
	_, tooLarge := errors.AsType[*TooLarge](err)
	return tooLarge || errors.Is(err, meter.Over{})
}

// Find yields the readable files at a URL, in the order of Each. New accepts it as its find function.
func (s *Search) Find(url string) iter.Seq[File] {
	return func(yield func(File) bool) {
		for f := range s.Each(url) {
			if f.Readable && !yield(f) {
				return
			}
		}
	}
}

// Each yields the captures of a URL in the source, in the order of source.Find. The data of a capture are read when
// the capture is yielded.
func (s *Search) Each(url string) iter.Seq[File] {
	return func(yield func(File) bool) {
		n := 0
		for c, err := range source.Find(s.src, url) {
			n++
			if err != nil {
				s.note(err)
				if !yield(File{Doubt: err.Error(), Number: n}) || s.Over() != nil {
					return
				}
				continue
			}
			if !yield(s.file(c, n)) {
				return
			}
		}
	}
}

// file returns the file of a candidate with a number.
func (s *Search) file(c *source.Candidate, number int) File {
	f := File{URL: c.URL, Where: c.Where, MediaType: c.MediaType, Doubt: c.Doubt, Capture: c, Number: number}
	if c.Body == nil {
		return f
	}
	sums, err := s.sumsOf(c)
	if err != nil {
		f.Doubt = cmp.Or(c.Doubt, "the data cannot be read: "+err.Error())
		return f
	}
	f.Readable, f.Sums = true, sums
	f.ID, f.MediaType = sums.ID[source.Decoded], typeOf(c.MediaType, sums)
	f.Doubt = cmp.Or(c.Doubt, sums.Doubt)
	return f
}

// sumMemory is the memory of remembered digests.
const sumMemory = 1 << 10

// sumsOf returns the digests of the data of a candidate, and remembers them.
func (s *Search) sumsOf(c *source.Candidate) (source.Sums, error) {
	s.mu.Lock()
	r := s.sums[c.Where]
	if r == nil || c.Where == "" {
		s.meter.Keep(sumMemory) // reading the data fails if this is too much
		r = &sumResult{}
		s.sums[c.Where] = r
	}
	s.mu.Unlock()
	r.once.Do(func() {
		if r.sums, r.err = c.Body.Sums(s.meter.Pay); r.err != nil {
			s.note(fmt.Errorf("%s: %w", c.Where, r.err))
		}
	})
	return r.sums, r.err
}

// Errors returns the errors so far, and the number of further ones.
func (s *Search) Errors() (list []error, more int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.errs[:len(s.errs):len(s.errs)], s.more
}

func (s *Search) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// If several limits are reached, capped is the first in alphabetical order, whatever the order of the calls.
	if isCap(err) && (s.capped == nil || err.Error() < s.capped.Error()) {
		s.capped = err
	}
	if len(s.errs) == maxErrors {
		s.more++
		return
	}
	s.errs = append(s.errs, err)
}
