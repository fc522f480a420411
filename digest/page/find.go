package page

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/webcap-tools/webcap/digest"
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
// A Search reads an amount of data proportional to the size of the source, even if many URLs or redirects lead to
// the same data. At this limit the Search stops reading, and Exhausted returns true.
type Search struct {
	src source.Source

	mu     sync.Mutex
	sums   map[string]*sumResult // by place of the candidate
	read   map[string]bool       // places of the data that were read
	errs   []error
	more   int
	capped error // see Capped

	left      atomic.Int64 // remaining work of the search
	exhausted atomic.Bool
}

// sumResult is the result of reading the data of a candidate.
type sumResult struct {
	once sync.Once
	sums source.Sums
	err  error
}

// FromSource returns a Search in src.
func FromSource(src source.Source) *Search {
	s := &Search{src: src, sums: map[string]*sumResult{}, read: map[string]bool{}}
	s.left.Store(baseWork)
	return s
}

// ErrExhausted means that a Search has reached the limit of the data that it may read.
var ErrExhausted = errors.New("too many URLs lead to the same data in the sources; webcap skipped some")

// Exhausted reports whether the search has reached the limit of the data that it may read. If true, the results
// depend on the order of calls.
func (s *Search) Exhausted() bool { return s.exhausted.Load() }

// spend subtracts n from the remaining work. It returns ErrExhausted if the limit is reached.
func (s *Search) spend(n int64) error {
	if s.left.Add(-n) < 0 {
		s.exhausted.Store(true)
	}
	if s.exhausted.Load() {
		return ErrExhausted
	}
	return nil
}

// Capped returns an error that names a limit that was reached so far; nil if none was reached.
func (s *Search) Capped() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.capped
}

// isCap reports whether an error means that a limit was reached.
func isCap(err error) bool {
	_, tooLarge := errors.AsType[*source.TooLarge](err)
	_, tooMany := errors.AsType[*source.TooMany](err)
	return tooLarge || tooMany || errors.Is(err, ErrExhausted)
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
			if err == nil {
				err = s.spend(lookWork)
			}
			if err != nil {
				s.note(err)
				if !yield(File{Doubt: err.Error(), Number: n}) || errors.Is(err, ErrExhausted) {
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
	if _, tooLarge := errors.AsType[*source.TooLarge](err); err != nil && (!tooLarge || sums.Doubt == "") {
		f.Doubt = cmp.Or(c.Doubt, "the data cannot be read: "+err.Error())
		return f
	}
	f.Readable, f.Sums = true, sums
	f.ID, f.MediaType = sums.ID[source.Decoded], typeOf(c.MediaType, sums)
	f.Doubt = cmp.Or(c.Doubt, sums.Doubt)
	return f
}

// sumsOf returns the digests of the data of a candidate. It remembers them, up to a limit.
func (s *Search) sumsOf(c *source.Candidate) (source.Sums, error) {
	if c.Where == "" {
		return s.readSums(c)
	}
	s.mu.Lock()
	r := s.sums[c.Where]
	if r == nil {
		if len(s.sums) == maxKnown {
			clear(s.sums)
		}
		r = &sumResult{}
		s.sums[c.Where] = r
	}
	s.mu.Unlock()
	r.once.Do(func() { r.sums, r.err = s.readSums(c) })
	return r.sums, r.err
}

// readSums reads the data of a candidate. Reading data for the first time adds to the allowed work.
func (s *Search) readSums(c *source.Candidate) (source.Sums, error) {
	place := cmp.Or(c.Body.Place, c.Where)
	s.mu.Lock()
	weight := int64(-storedWork) // allows decoding the body, and reading it again several times
	if place != "" && s.read[place] {
		weight = 1
	} else {
		s.left.Add(lookWork) // only further looks at the data cost work
	}
	if len(s.read) == maxKnown {
		clear(s.read)
	}
	s.read[place] = true
	s.mu.Unlock()
	sums, err := c.Body.Sums(func(stored, decoded int64) error { return s.spend(weight*stored + decoded) })
	if err != nil {
		s.note(fmt.Errorf("%s: %w", c.Where, err))
	}
	return sums, err
}

// open opens a form of the data of a file.
func (s *Search) open(f *File, form source.Form) (io.ReadCloser, error) {
	r, err := f.Capture.Body.OpenForm(form)
	if err != nil {
		return nil, err
	}
	return meteredReader{r, s}, nil
}

// meteredReader reads data, and subtracts them from the remaining work of a search.
type meteredReader struct {
	io.ReadCloser
	s *Search
}

func (m meteredReader) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	if exhausted := m.s.spend(int64(n) * pageWork); exhausted != nil {
		return 0, exhausted
	}
	return n, err
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
