// Package page computes the digital identifier of a page set (ISO 32000-2:2020, 14.10.3.3) from its source and
// auxiliary files, and finds the reading of the standard that gives a known identifier:
//
//	p := page.New(source, "text/html", url, find)
//	if c, ok := p.Match(id); ok {
//		fmt.Println("verified, by the reading", c.Reading)
//	}
//
// The standard does not say which files are auxiliary. A [Reading] answers this question; [Page.Compute] computes the
// identifier under one Reading. A page without a match proves nothing, because another reading may be right. For text
// identifiers, use [MatchText] and [Text]. Files come from a function, such as the method Find of a [Search].
// [References] returns the references of HTML, XML, and style sheets.
package page

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"slices"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
)

// finder yields the files at a URL; none if there is no file.
type finder = func(url string) iter.Seq[File]

// Page is the source of a page set, with its auxiliary files. It is not safe for concurrent use.
type Page struct {
	url    string
	source *digest.Source
	size   int64 // of the source
	refs   []Reference
	find   finder
	files  map[string]*File // by URL; nil for a missing file
}

// New returns the page with the source src. url is the URL of the source. The page calls find for a file when a reading
// first needs the file.
func New(src []byte, mediaType, url string, find finder) *Page {
	url = string(canon.PDF2.Append(nil, []byte(url)))
	h, _ := digest.NewSource(bytes.NewReader(src)) // reading bytes cannot fail
	return &Page{url: url, source: h, size: int64(len(src)), refs: References(src, mediaType, url), find: find,
		files: map[string]*File{}}
}

// Data returns the data of a file from the search, without codings. A file that exceeds MaxSource bytes gives a
// *TooLarge.
func (s *Search) Data(f *File) ([]byte, error) {
	if f.Sums.Size[source.Decoded] > MaxSource {
		err := &TooLarge{MaxSource}
		s.note(err)
		return nil, err
	}
	r, err := f.Capture.Body.OpenDecoded(s.meter.Pay)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := ReadSource(r)
	if err == nil {
		err = s.meter.Pay(searchWork * int64(len(data)))
	}
	if isCap(err) {
		s.note(err)
	}
	return data, err
}

// TooLarge is the error of a file that exceeds Limit bytes.
type TooLarge struct{ Limit int64 }

func (e *TooLarge) Error() string { return fmt.Sprintf("the body has more than %d bytes", e.Limit) }

// ReadSource reads r to its end. It returns a *TooLarge if there are more than MaxSource bytes, or the error
// of r.
func ReadSource(r io.Reader) ([]byte, error) {
	var b bytes.Buffer
	if n, err := b.ReadFrom(io.LimitReader(r, MaxSource+1)); err != nil {
		return nil, err
	} else if n > MaxSource {
		return nil, &TooLarge{MaxSource}
	}
	return b.Bytes(), nil
}

// Composite is the identifier of a page set, with its parts.
type Composite struct {
	ID      digest.ID
	Reading Reading
	Pieces  []Piece     // in their order in the MD5: the source, then files
	Missing []Reference // files that count in the reading, but were not found
}

// Piece is a part of the data of an identifier.
type Piece struct {
	URL, Where string
	Kind       Kind // 0 for the source
	ID         digest.ID
	Bytes      int64 // length in the MD5: the size of the source, or the 16 bytes of an identifier
}

// Supplied returns the number of Pieces, other than the source, whose file has the Where w.
func (c *Composite) Supplied(w string) int {
	n := 0
	for _, p := range c.Pieces {
		if p.Where == w && p.Kind != 0 {
			n++
		}
	}
	return n
}

// ErrCapped means that a page has more references than the limit. See Capped.
var ErrCapped = errors.New("too many references to compute the identifier")

// Capped reports whether references were skipped because of a limit.
func (p *Page) Capped() bool { return len(p.refs) == maxReferences }

// Compute returns the identifier in a reading. A missing file does not count.
func (p *Page) Compute(r Reading) Composite {
	c := Composite{Reading: r, Pieces: []Piece{{URL: p.url, ID: p.source.ID(), Bytes: p.size}}}
	var files []digest.Auxiliary
	seen := map[string]bool{}
	for _, ref := range p.refs {
		if ref.Kind&r.Files == 0 || seen[ref.URL] {
			continue
		}
		seen[ref.URL] = true
		f := p.lookup(ref.URL)
		if f == nil {
			c.Missing = append(c.Missing, ref)
			continue
		}
		files = append(files, digest.Auxiliary{Name: ref.URL, ID: f.ID})
		c.Pieces = append(c.Pieces, Piece{ref.URL, f.Where, ref.Kind, f.ID, int64(len(f.ID))})
	}
	c.ID = p.source.Page(files)
	return c
}

// Each returns the identifier in each reading. If several readings have the same result, Each returns only the first of
// them.
func (p *Page) Each() []Composite {
	var list []Composite
	for _, r := range Readings() {
		c := p.Compute(r)
		if !slices.ContainsFunc(list, func(other Composite) bool { return other.ID == c.ID }) {
			list = append(list, c)
		}
	}
	return list
}

// Match returns the first reading that gives the identifier id.
func (p *Page) Match(id digest.ID) (c Composite, ok bool) {
	for _, r := range Readings() {
		if c := p.Compute(r); c.ID == id {
			return c, true
		}
	}
	return Composite{}, false
}

// lookup returns the file at a URL: the first certain one, else the first one; nil if there is none. An error response
// does not count, because a client shows no image for it.
func (p *Page) lookup(url string) *File {
	f, known := p.files[url]
	if known || p.find == nil {
		return f
	}
	for other := range p.find(url) {
		if other.Capture != nil && other.Capture.Status >= http.StatusBadRequest {
			continue
		}
		if f == nil || other.Doubt == "" {
			f = &other
		}
		if other.Doubt == "" {
			break
		}
	}
	p.files[url] = f
	return f
}
