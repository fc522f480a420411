package page

import (
	"bytes"
	"crypto/md5"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/digest/source"
)

// A File is what is known of a file: its identifier always, the rest if it is
// kept somewhere.
type File struct {
	ID        digest.ID // the MD5 of its data
	Where     string    // where it is kept, for people to read
	Form      string    // that of a source.Body
	MediaType string    // as the source has it; empty if it says nothing
	Head      []byte    // the first bytes of the data
	Loose     bool      // only its name ties it to the URL

	// Data reads the data, up to MaxPage bytes; nil if only the ID is known.
	Data func() ([]byte, error)
}

// A Finder returns what is known of the file at a URL, each alternative once;
// none if it is nowhere.
type Finder func(url string) []File

// MaxPage is the number of bytes that the source of a page, or a style sheet,
// may have for its references to be read. The identifiers of larger files are
// computed all the same.
const MaxPage = 64 << 20

// A Lookup finds files in a source, and digests each once. It is safe for
// concurrent use.
type Lookup struct {
	src   source.Source
	mu    sync.Mutex
	known map[string]*found // by URL
}

type found struct {
	once  sync.Once
	files []File
	err   error
}

// maxKnown is the number of URLs of which a Lookup remembers the files.
const maxKnown = 1 << 16

// NewLookup returns a Lookup in src.
func NewLookup(src source.Source) *Lookup { return &Lookup{src: src, known: map[string]*found{}} }

// Files returns what the source keeps of a URL, each candidate in each form that
// can be read. The error speaks of the first candidate of which no form can be
// read; there may be files all the same. The caller does not change them.
func (l *Lookup) Files(url string) ([]File, error) {
	l.mu.Lock()
	f := l.known[url]
	if f == nil {
		if len(l.known) == maxKnown {
			clear(l.known)
		}
		f = &found{}
		l.known[url] = f
	}
	l.mu.Unlock()
	f.once.Do(func() { f.files, f.err = l.find(url) })
	return f.files, f.err
}

// Find is a Finder: Files without the error.
func (l *Lookup) Find(url string) []File {
	files, _ := l.Files(url)
	return files
}

func (l *Lookup) find(url string) (files []File, first error) {
	for c, err := range source.Find(l.src, url) {
		n := len(files)
		for i := 0; err == nil && i < len(c.Bodies); i++ {
			f, broken := digested(c, c.Bodies[i])
			switch {
			case broken == nil:
				files = append(files, f)
			case i == 0:
				err = fmt.Errorf("%s: %w", c.Where, broken)
			}
		}
		if len(files) == n && first == nil {
			first = err
		}
	}
	return files, first
}

// headSize is the length of File.Head, which is what it takes to tell HTML by
// its content.
const headSize = 512

// digested computes the identifier of a body.
func digested(c *source.Candidate, b source.Body) (File, error) {
	r, err := b.Open()
	if err != nil {
		return File{}, err
	}
	defer r.Close()
	h := md5.New()
	head := make([]byte, headSize)
	n, err := io.ReadFull(r, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return File{}, err
	}
	h.Write(head[:n])
	if _, err := io.Copy(h, r); err != nil {
		return File{}, err
	}
	return File{
		ID: digest.ID(h.Sum(nil)), Where: c.Where, Form: b.Form, MediaType: c.MediaType, Head: head[:n:n], Loose: c.Loose,
		Data: func() ([]byte, error) { return read(b) },
	}, nil
}

var errPage = errors.New("the file is too long to be read for references")

func read(b source.Body) ([]byte, error) {
	r, err := b.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, MaxPage+1))
	if len(data) > MaxPage {
		return nil, errPage
	}
	return data, err
}

// An Essence is what the identifier of a page set depends on in its source.
type Essence uint8

const (
	Other Essence = iota
	HTML          // may refer to auxiliary files
	Style         // a style sheet, which may do so too
	Image
	PDF
)

// EssenceOf tells what a file is: by its media type, and by its first bytes if
// there is none, or one that says nothing.
func EssenceOf(mediaType string, head []byte) Essence {
	t, _, err := mime.ParseMediaType(mediaType)
	if err != nil || t == "application/octet-stream" {
		t, _, _ = strings.Cut(http.DetectContentType(head), ";")
	}
	switch {
	case t == "text/html" || t == "application/xhtml+xml":
		return HTML
	case t == "text/css":
		return Style
	case t == "application/pdf" || bytes.HasPrefix(head, []byte("%PDF-")):
		return PDF
	case strings.HasPrefix(t, "image/") && t != "image/svg+xml":
		return Image
	}
	return Other
}
