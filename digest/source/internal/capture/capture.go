// Package capture defines the common results of all kinds of sources: candidates, their bodies, and counts of
// skipped captures.
package capture

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// Source is a collection of captures of URLs. It is safe for concurrent use.
type Source interface {
	// Lookup yields the captures of a URL. The URL may have any form with the same canonical form. The captures are in
	// order of date if there are dates, otherwise in the order of the source. The captures of joined sources follow one
	// another. An error concerns one capture that cannot be read; further captures may follow.
	Lookup(url string) iter.Seq2[*Candidate, error]

	// LookupAlike yields the captures of other URLs that are alike (see function Alike). Find uses LookupAlike if there
	// is no better result.
	LookupAlike(url string) iter.Seq2[*Candidate, error]

	// Stats returns statistics of the captures, and of the unusable ones.
	Stats() Stats

	// Close releases the source. Bodies must not be read after Close.
	Close() error
}

// Archive is a Source whose captures may be revisits, with originals in other archives.
type Archive interface {
	Source

	// LookupAmong yields the captures of the URLs that are alike url and for which is(URL) is true. others are
	// archives that may have the originals of revisits.
	LookupAmong(url string, is func(string) bool, others []Archive) iter.Seq2[*Candidate, error]

	// ListAmong yields all captures of the archive. others are archives that may have the originals of revisits.
	ListAmong(others []Archive) iter.Seq2[*Candidate, error]
}

// Candidate is one capture of a URL.
type Candidate struct {
	URL       string    // as in the source
	MediaType string    // with parameters, as in the source; empty if unknown
	Time      time.Time // time of retrieval; zero if unknown
	Where     string    // file, and position in the file, for messages; unique for the data

	// Data identifies the data if several candidates have the same data: several lines of a list may name one file, and
	// several records may have the same payload. It is empty if Where is enough. If Data identifies a payload,
	// results for one copy apply to the others only if the data match Payload.
	Data string

	// Payload is the digest that the source has for one of the Bodies. It is unknown for which: some programs join
	// chunks first, and some also remove other codings. If the digest matches none of the Bodies, the source is
	// damaged. Payload is empty if there is no usable digest.
	Payload Checksum

	// Uncertain means that the data may differ from the retrieved data. Either only the name connects the data with the
	// URL, as for a file page.html and the URL …/page, or a program has rewritten or truncated the data. Uncertain data
	// with the wanted digest prove a match; uncertain data with another digest prove nothing.
	Uncertain bool

	Record string // type of the record or other object of the source; empty if there are no types
	Status int    // status of the response; 0 if unknown
	Size   int64  // size of the data in bytes; negative if it is unknown before the data are read

	// Revisit is the place of the data, if the source only records that the response was the same as an earlier
	// response. Otherwise it is empty.
	Revisit string

	// Doubt is the reason why data with another digest prove nothing. It is nil if there is no reason; each body may
	// still have a reason of its own.
	Doubt *Flaw

	// Failed means that the response was an error, with status 400 or more. If the URL is that of a page, a client
	// showed this response. If it is that of an image, a client showed no image.
	Failed bool

	// Redirect is the target of a redirect; such a candidate has no Bodies. Otherwise it is empty.
	Redirect string

	// Bodies are the data in each form that a digest may use: first as stored, then with codings removed. At least one
	// Body is not Coded. Reading a Body shows whether the codings in the header are correct: if not, the Body ends in a
	// *Flaw.
	//
	// The candidate is a proven mismatch only if each Body that is not Coded ends in io.EOF.
	Bodies []Body
}

// Body is one form of the data of a candidate.
type Body struct {
	// Form describes how the data differ from the stored data: "as stored", "chunks joined", "gzip decoded".
	Form string

	// Coded means that the data are still in a coding that the source declares.
	Coded bool

	// Undeclared means that the source does not declare the form: it has a coding that is visible in the data, or
	// another length. If the data can be read in this form, they may be the captured data, so the other forms do not
	// prove a mismatch. If the data cannot be read in this form, this proves nothing.
	Undeclared bool

	open func() (io.ReadCloser, error)
}

// NewBody returns a Body that is not Coded. Each call of open must open the data from the beginning.
func NewBody(form string, open func() (io.ReadCloser, error)) Body {
	return Body{Form: form, open: open}
}

// AsStored is the value of Form for unchanged data.
const AsStored = "as stored"

// Open opens the data. The data end in io.EOF or a *Flaw. If they exceed MaxBody bytes, reading fails with a *TooLarge.
func (b Body) Open() (io.ReadCloser, error) {
	r, err := b.open()
	if err != nil {
		return nil, err
	}
	return &cappedReader{ReadCloser: r, left: MaxBody}, nil
}

// Flaw means that a body is damaged, or differs from the declaration of its source. Readers return it instead of
// io.EOF, after all readable data. Data with a Flaw may prove a match, but never a mismatch.
type Flaw struct {
	Reason  string // such as "the body does not match the coding gzip in its header: …"
	Damaged bool   // the source has a digest of the data that does not match
}

func (f *Flaw) Error() string { return f.Reason }

// TooLarge means that a body exceeds Limit bytes.
type TooLarge struct{ Limit int64 }

func (e *TooLarge) Error() string { return fmt.Sprintf("the body has more than %d bytes", e.Limit) }

// Strict returns a copy of the body that ends in an error of another type instead of a *Flaw.
func (b Body) Strict() Body {
	open := b.open
	b.open = func() (io.ReadCloser, error) {
		r, err := open()
		return strictReader{r}, err
	}
	return b
}

var errStrict = errors.New("the body is not in this form")

type strictReader struct{ io.ReadCloser }

func (r strictReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if _, ok := errors.AsType[*Flaw](err); ok {
		err = errStrict
	}
	return n, err
}

type cappedReader struct {
	io.ReadCloser
	left int64
}

func (c *cappedReader) Read(p []byte) (int, error) {
	if c.left < 0 {
		return 0, &TooLarge{MaxBody}
	}
	n, err := c.ReadCloser.Read(p[:min(int64(len(p)), c.left+1)])
	if c.left -= int64(n); c.left < 0 {
		return n - 1, &TooLarge{MaxBody}
	}
	return n, err
}
