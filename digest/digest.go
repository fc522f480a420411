// Package digest computes the digital identifiers of Web Capture (ISO 32000-2:2020, 14.10.3.3) and unique names
// with them (14.10.3.4).
//
//	id, err := digest.Image(file)       // of an image set, or of a page set made of a PDF file
//	id, err := digest.Page(html, images)
//	m, ok := digest.Split(name, known)  // the identifier in a destination name
//
// An identifier is the MD5 (RFC 1321) of captured data. [Image] hashes a file. [Page] hashes a source with the
// identifiers of the files that the source refers to. [Text] hashes the text of a source. [Parse] and [ID.String] read
// and write the 32 digits. Package [github.com/webcap-tools/webcap/digest/page] finds the files of a page, and tries
// several readings of the standard.
//
// An equal digest proves that an identifier belongs to a source. A different one proves little: no known
// computation gives the page set identifiers of Acrobat 9 and later.
package digest

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
)

// ID is a digital identifier: the 16 bytes of an MD5 digest.
type ID [md5.Size]byte

// FromBytes returns the identifier with the given bytes; ok is false if len(b) is not 16.
func FromBytes(b []byte) (id ID, ok bool) {
	if len(b) != len(id) {
		return ID{}, false
	}
	return ID(b), true
}

// Parse reads an identifier from 32 hexadecimal digits of either case.
func Parse(s string) (ID, error) {
	var id ID
	if len(s) == 2*len(id) {
		if _, err := hex.Decode(id[:], []byte(s)); err == nil {
			return id, nil
		}
	}
	return ID{}, fmt.Errorf("identifier %.40q is not 32 hexadecimal digits", s)
}

// String returns the identifier as 32 lower-case hexadecimal digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// MarshalText returns the result of String. The error is always nil.
func (id ID) MarshalText() ([]byte, error) { return hex.AppendEncode(nil, id[:]), nil }

// UnmarshalText sets the identifier as Parse reads it. If there is an error, it does not change the identifier.
func (id *ID) UnmarshalText(b []byte) error {
	v, err := Parse(string(b))
	if err == nil {
		*id = v
	}
	return err
}

// Image returns the identifier of an image set: the MD5 of the image file. If the PDF stores the file unchanged, as for
// JPEG files, the identifier is the MD5 of the stream data. The identifier of a page set whose source is a PDF file is
// the MD5 of this file, too: files that the PDF refers to do not count. The error comes from r.
func Image(r io.Reader) (ID, error) {
	s, err := NewSource(r)
	if err != nil {
		return ID{}, err
	}
	return s.ID(), nil
}

// Auxiliary is a file that the source of a page set refers to, such as an image. Name identifies the file; it is
// usually the URL.
type Auxiliary struct {
	Name string
	ID   ID
}

// Page returns the identifier of a page set: the MD5 of the source followed by the identifiers of its auxiliary files,
// 16 bytes each. files must be in the order in which the source first refers to them. Each file counts once. The caller
// decides whether source is the data before or after content decoding. The error comes from source.
func Page(source io.Reader, files []Auxiliary) (ID, error) {
	s, err := NewSource(source)
	if err != nil {
		return ID{}, err
	}
	return s.Page(files), nil
}

// Source is the digest of the source of a page set, for any number of lists of auxiliary files. The source is read only
// once, by NewSource. A Source is safe for concurrent use.
type Source struct{ h hash.Cloner }

// NewSource reads a source to its end. The error comes from r.
func NewSource(r io.Reader) (*Source, error) {
	h := md5.New()
	if _, err := io.Copy(h, r); err != nil {
		return nil, fmt.Errorf("source: %w", err)
	}
	return &Source{h.(hash.Cloner)}, nil
}

// ID returns the MD5 of the source alone.
func (s *Source) ID() ID { return ID(s.h.Sum(nil)) }

// Page is like the function Page, for this source.
func (s *Source) Page(files []Auxiliary) ID {
	h, err := s.h.Clone()
	if err != nil {
		panic(err) // Clone of crypto/md5 never fails
	}
	seen := make(map[string]bool, len(files))
	for _, f := range files {
		if !seen[f.Name] {
			seen[f.Name] = true
			h.Write(f.ID[:])
		}
	}
	return ID(h.Sum(nil))
}

// Text computes the text identifier (TID) of a page set: the MD5 of the text of its source. For HTML, that is the text
// between the tags. The zero value is ready to use.
//
// The standard does not mention character references, white space, titles, scripts, comments, and the character
// set. So the caller extracts and decodes the runs of text, and Text joins the runs without separators.
type Text struct{ h hash.Hash }

// Add appends a run of text.
func (t *Text) Add(run string) {
	if t.h == nil {
		t.h = md5.New()
	}
	io.WriteString(t.h, run)
}

// ID returns the identifier of the text so far. Add may be called afterwards.
func (t *Text) ID() ID {
	if t.h == nil {
		return md5.Sum(nil)
	}
	return ID(t.h.Sum(nil))
}
