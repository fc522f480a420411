package page

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
)

// Search finds files in a source, and remembers their identifiers. It is safe for concurrent use.
//
// A Search reads an amount of data proportional to the size of the source, even if many URLs or redirects lead to
// the same data. At this limit the Search stops reading, and Exhausted returns true.
type Search struct {
	src source.Source

	mu     sync.Mutex
	known  map[string]*urlSearch
	files  int // number of files in known
	looked int // number of URLs and candidates in beyond
	bodies map[place]*bodies
	data   map[[2]string]*dataDigest // by identity of the data, and form
	beyond map[string][]lookResult   // results of looking up targets of redirects
	errs   []error
	more   int
	capped error // see Capped

	left      atomic.Int64 // remaining work of the search
	exhausted atomic.Bool
}

// place identifies a candidate by the place of its data and its properties in the source.
type place struct {
	where, url        string
	uncertain, failed bool
}

// bodies are the possible files of a candidate.
type bodies struct {
	once  sync.Once
	files []File
	err   error
}

// dataDigest is the digest of the data of one body, with the other results of reading this body.
type dataDigest struct {
	once      sync.Once
	id        digest.ID
	mediaType string // detected from the first bytes
	size      int64
	flaw      *source.Flaw // the flaw that ended the data; nil if the data are intact
	agrees    bool         // the data match the digest of the payload
	err       error
}

// lookResult is a candidate or an error from looking up a URL.
type lookResult struct {
	c   *source.Candidate
	err error
}

// urlSearch holds the files found so far at a URL.
type urlSearch struct {
	mu        sync.Mutex
	looked    int    // number of captures, including targets of redirects
	all       bool   // the list is complete
	list      []item // uncertain files come last, when the list is complete
	uncertain []File
}

// item is a file, or an error.
type item struct {
	file File
	err  error
}

// FromSource returns a Search in src.
func FromSource(src source.Source) *Search {
	s := &Search{src: src, known: map[string]*urlSearch{}, bodies: map[place]*bodies{},
		data: map[[2]string]*dataDigest{}, beyond: map[string][]lookResult{}}
	s.left.Store(baseWork)
	return s
}

// ErrExhausted means that a Search has reached the limit of the data that it may read.
var ErrExhausted = errors.New("too many URLs lead to the same data in the sources; webcap skipped some")

// Exhausted reports whether the search has reached the limit of the data that it may read. If true, the results
// depend on the order of calls.
func (s *Search) Exhausted() bool { return s.exhausted.Load() }

// spend subtracts n from the remaining work. It returns false if the limit is reached.
func (s *Search) spend(n int64) bool {
	if s.left.Add(-n) < 0 {
		s.exhausted.Store(true)
	}
	return !s.exhausted.Load()
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

// Find yields the files at a URL, in the order of Each and without the errors. New accepts it as its find function.
func (s *Search) Find(url string) iter.Seq[File] {
	return func(yield func(File) bool) {
		for f, err := range s.Each(url) {
			if err == nil && !yield(f) {
				return
			}
		}
	}
}

// Each yields the captures of a URL in the source. Each ID occurs once. The order is that of the candidates, with
// uncertain files last. For each candidate, the data with all codings removed come first, and the stored data last;
// forms that do not exist are omitted. An error concerns a capture that cannot be read in any form, or is a
// *source.DeadEnd. Each does not read all captures at once: it reads one, and then more at a time as the loop goes on.
func (s *Search) Each(url string) iter.Seq2[File, error] {
	return func(yield func(File, error) bool) {
		f := s.found(url)
		for i := 0; ; i++ {
			it, ok := s.item(f, url, i)
			if !ok || !yield(it.file, it.err) {
				return
			}
		}
	}
}

// Looked returns the number of captures of a URL that the search has looked at so far.
func (s *Search) Looked(url string) int {
	f := s.found(url)
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.looked
}

// Excluded returns the unusable captures of a URL.
func (s *Search) Excluded(url string) []source.Exclusion { return source.Excluded(s.src, url) }

// found returns the results for a URL.
func (s *Search) found(url string) *urlSearch {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.known[url]
	if f == nil {
		if len(s.known) == maxKnown || s.files > maxKnownFiles {
			clear(s.known)
			s.files = 0
		}
		f = &urlSearch{}
		s.known[url] = f
	}
	return f
}

// item returns one of the results for a URL by index.
func (s *Search) item(f *urlSearch, url string, i int) (it item, ok bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i >= len(f.list) && !f.all {
		before := len(f.list) + len(f.uncertain)
		s.look(f, url)
		s.mu.Lock()
		s.files += len(f.list) + len(f.uncertain) - before
		s.mu.Unlock()
	}
	if i >= len(f.list) {
		return it, false
	}
	return f.list[i], true
}

// look reads further captures of a URL. The first call reads one; each further call raises the number more than
// fivefold. Earlier captures are looked up again, which at most about doubles the work.
func (s *Search) look(f *urlSearch, url string) {
	from, to := f.looked, 5*f.looked+1
	n := 0
	for c, err := range source.Find(trail{s.src, s, url}, url) {
		n++
		if err == nil && n > from && !s.spend(lookWork) {
			err = ErrExhausted
		}
		switch {
		case err == ErrExhausted || err != nil && n > from:
			if _, ok := errors.AsType[*source.DeadEnd](err); !ok {
				s.note(err)
			}
			f.list = append(f.list, item{err: err})
		case n > from:
			s.take(f, c, n)
		}
		if err == ErrExhausted {
			break
		}
		if n == to { // stop here: finding the next capture may require a search
			f.looked = to
			return
		}
	}
	f.looked, f.all = n, true
	for _, file := range f.uncertain {
		f.add(file)
	}
	f.uncertain = nil
}

// take reads a candidate and adds its files. number is the index of the candidate among those of the URL.
func (s *Search) take(f *urlSearch, c *source.Candidate, number int) {
	files, err := s.forms(c)
	if err != nil {
		err = fmt.Errorf("%s: %w", c.Where, err)
		s.note(err)
		f.list = append(f.list, item{err: err})
	}
	for _, file := range files {
		file.Number = number
		if file.Uncertain {
			f.uncertain = append(f.uncertain, file)
		} else {
			f.add(file)
		}
	}
}

// add adds a file, unless a file with the same ID is there.
func (f *urlSearch) add(file File) {
	if !slices.ContainsFunc(f.list, func(it item) bool { return it.err == nil && it.file.ID == file.ID }) {
		f.list = append(f.list, item{file: file})
	}
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

// trail is the source for the search of one URL. It remembers the targets of redirects, because many URLs may
// redirect to the same target.
type trail struct {
	source.Source
	s   *Search
	url string
}

func (t trail) Lookup(url string) iter.Seq2[*source.Candidate, error] {
	if url == t.url {
		return t.Source.Lookup(url)
	}
	return func(yield func(*source.Candidate, error) bool) {
		list, remembered := t.s.remembered(url)
		for _, l := range list {
			if !yield(l.c, l.err) {
				return
			}
		}
		if remembered {
			return
		}
		for c, err := range t.Source.Lookup(url) {
			if len(list) <= maxBeyond {
				list = append(list, lookResult{c, err})
			}
			if !yield(c, err) {
				return
			}
		}
		t.s.remember(url, list)
	}
}

// remembered returns the results for the target of a redirect, if they are remembered.
func (s *Search) remembered(url string) (list []lookResult, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	list, ok = s.beyond[url]
	return list, ok
}

func (s *Search) remember(url string, list []lookResult) {
	weight := 1 + len(list)
	if weight > maxBeyond {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.looked += weight; s.looked > maxBeyond {
		clear(s.beyond)
		s.looked = weight
	}
	s.beyond[url] = list
}
