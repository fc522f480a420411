package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
)

// A Search finds files in a source, and remembers their identifiers. It is safe
// for concurrent use.
type Search struct {
	src source.Source

	mu    sync.Mutex
	known map[string]*found
	errs  []error
	more  int
}

// A found is what there is at a URL.
type found struct {
	once  sync.Once
	files []File
	err   error
}

// FromSource returns a Search in src, whose method Find is a Finder.
func FromSource(src source.Source) *Search {
	return &Search{src: src, known: map[string]*found{}}
}

// Find returns what the source keeps of a URL, each ID once: candidates in their
// order, but uncertain ones last; of each first the data with all codings off, and
// last as they are stored. A form that the data do not have is left out.
func (s *Search) Find(url string) []File {
	files, _ := s.Files(url)
	return files
}

// Files is Find with the first error, which speaks of something that is kept of
// the URL and cannot be read in any form; there may be files all the same. The
// caller does not change them.
func (s *Search) Files(url string) ([]File, error) {
	s.mu.Lock()
	f := s.known[url]
	if f == nil {
		if len(s.known) == maxKnown {
			clear(s.known)
		}
		f = &found{}
		s.known[url] = f
	}
	s.mu.Unlock()
	f.once.Do(func() { f.files, f.err = s.find(url) })
	return f.files, f.err
}

func (s *Search) find(url string) (files []File, first error) {
	note := func(err error) {
		if first == nil {
			first = err
		}
		s.note(err)
	}
	var certain, uncertain []File
	for c, err := range source.Find(s.src, url) {
		if err != nil {
			note(err)
			continue
		}
		found, err := forms(c)
		if err != nil {
			note(fmt.Errorf("%s: %w", c.Where, err))
		}
		for _, f := range found {
			if f.Uncertain {
				uncertain = append(uncertain, f)
			} else {
				certain = append(certain, f)
			}
		}
	}
	seen := map[digest.ID]bool{}
	for _, f := range append(certain, uncertain...) {
		if !seen[f.ID] {
			seen[f.ID] = true
			files = append(files, f)
		}
	}
	return files, first
}

// Errors returns what could not be read so far, and how many errors more there
// were.
func (s *Search) Errors() (list []error, more int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.errs[:len(s.errs):len(s.errs)], s.more
}

func (s *Search) note(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.errs) == maxErrors {
		s.more++
		return
	}
	s.errs = append(s.errs, err)
}

// forms returns the files that a candidate may be. The error is that of its
// first body, if there is no file; or it is a *source.TooLarge, and then what the
// others are not says nothing.
func forms(c *source.Candidate) (files []File, err error) {
	var stored, bodies []source.Body
	var tooLarge *source.TooLarge
	for _, b := range c.Bodies {
		if b.Form == source.AsStored {
			stored = append(stored, b)
		} else {
			bodies = append([]source.Body{b}, bodies...)
		}
	}
	for _, b := range append(bodies, stored...) {
		id, head, broken := digested(b)
		if broken != nil {
			errors.As(broken, &tooLarge)
			err = broken
			continue
		}
		where := c.Where
		if b.Form != source.AsStored {
			where += " (" + b.Form + ")"
		}
		f := File{
			ID: id, URL: c.URL, Where: where, MediaType: typeOf(c.MediaType, head), Uncertain: c.Uncertain, Failed: c.Failed,
			Data: func() ([]byte, error) { return read(b) },
		}
		if len(files) > 0 {
			f.MediaType, f.Plain = files[0].MediaType, files[0].Data
		}
		files = append(files, f)
	}
	if tooLarge != nil {
		for i := range files {
			files[i].Uncertain = true
		}
		return files, tooLarge
	}
	if files != nil {
		err = nil
	}
	return files, err
}

// headSize is how much of a file it takes to tell what it is by its content.
const headSize = 512

// digested returns the identifier of a body and how it begins.
func digested(b source.Body) (id digest.ID, head []byte, err error) {
	r, err := b.Open()
	if err != nil {
		return digest.ID{}, nil, err
	}
	defer r.Close()
	head = make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return digest.ID{}, nil, err
	}
	head = head[:n]
	id, err = digest.Image(io.MultiReader(bytes.NewReader(head), r))
	return id, head, err
}

// typeOf returns the media type of a file: as its source has it or, if that says
// nothing, by how it begins.
func typeOf(mediaType string, head []byte) string {
	essence, _, _ := strings.Cut(mediaType, ";")
	switch strings.TrimSpace(strings.ToLower(essence)) {
	case "", "application/octet-stream", "unknown/unknown":
		mediaType = strings.TrimSuffix(http.DetectContentType(head), "; charset=utf-8") // which it says of anything in ASCII
		if strings.HasPrefix(mediaType, "text/plain") && tags.Match(bytes.ReplaceAll(head, []byte{0}, nil)) {
			return "text/html"
		}
	}
	return mediaType
}

// tags finds HTML where it does not begin as http knows it, or is in UTF-16.
var tags = regexp.MustCompile(`(?i)<(!doctype html|html|head|meta|title|body|frameset|center|table|p|a|img)\b`)

func read(b source.Body) ([]byte, error) {
	r, err := b.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return ReadSource(r)
}

// ReadSource reads r to its end. The error is that of r, or a *source.TooLarge
// if there are more than MaxSource bytes.
func ReadSource(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	if n, err := b.ReadFrom(io.LimitReader(r, MaxSource+1)); err != nil {
		return nil, err
	} else if n > MaxSource {
		return nil, &source.TooLarge{Limit: MaxSource}
	}
	return b.Bytes(), nil
}
