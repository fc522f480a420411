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

// Options are the options of opening a source. The zero value is a good default.
type Options struct {
	// Indexes is a folder for indexes of WARC and ARC files that later runs reuse; empty for none. An index is valid
	// while the size and the modification time of the file are unchanged.
	Indexes string

	Guessed bool // the caller of Open gave no kind
}

// Source is a collection of captures of URLs. It is safe for concurrent use.
type Source interface {
	// Lookup yields the captures of a URL, which may have any form with the same key: in order of date if there are
	// dates, otherwise in the order of the source. An error is about one capture that cannot be read; others may
	// follow.
	Lookup(url string) iter.Seq2[*Candidate, error]

	// LookupAlike yields the captures of other URLs that are Alike, and files that match the URL only by name, whose
	// candidates have no URL. Find uses it if there is no better result.
	LookupAlike(url string) iter.Seq2[*Candidate, error]

	// Stats returns statistics of the captures, and of the unusable ones.
	Stats() Stats

	// Close releases the source. No body may be read afterwards.
	Close() error
}

// Archive is a Source whose captures may be revisits, with originals in other archives.
type Archive interface {
	Source

	// LookupAmong yields what the archive has of URLs like one, if is says so. Others may have what a record repeats.
	LookupAmong(url string, is func(string) bool, others []Archive) iter.Seq2[*Candidate, error]

	// ListAmong yields everything that the archive keeps.
	ListAmong(others []Archive) iter.Seq2[*Candidate, error]
}

// Candidate is one capture of a URL.
type Candidate struct {
	URL       string    // as in the source; empty if there is only a name
	MediaType string    // with parameters, as in the source; empty if unknown
	Time      time.Time // of retrieval; zero if unknown
	Where     string    // the file, and the position in it, for messages; unique for the data

	// Data identifies the data if Where does not: several lines of a list may name one file, and several records may
	// have the same payload. Properties of a payload hold if Payload agrees.
	Data string

	// Payload is the source's digest of one of the Bodies, without saying which: some programs remove chunks first,
	// some also other codings. If it matches none, the source is damaged. It is empty if there is no usable digest.
	Payload Checksum

	// Uncertain means that the data may differ from the retrieved data: only the name connects them with the URL, as
	// for a file page.html and the URL …/page, or a program has rewritten or truncated them. If their digest agrees,
	// that is a proof; otherwise, it proves nothing.
	Uncertain bool

	Record string // type of the record or other object of the source; empty if there are no types
	Status int    // of the response; 0 if unknown
	Size   int64  // of the data in bytes; negative if only reading them would tell

	// Revisit is the place of the data, if the source only records that the response was the same as an earlier one.
	Revisit string

	// Doubt is the reason why differing data prove nothing; nil if there is no such reason except those of the bodies.
	Doubt *Flaw

	// Failed means that the response was an error, of status 400 or more. For a page it is the content that a client
	// showed; for an image, the client showed none.
	Failed bool

	// Redirect is the target of a redirect; such a candidate has no Bodies. Otherwise it is empty.
	Redirect string

	// Bodies are the data in each form that a digest may use: first as stored, then with codings removed. At least one
	// is not Coded. Reading a body shows which codings really exist: one that is not in the coding of its header ends
	// in a *Flaw.
	//
	// The candidate is a proven mismatch only if each body that is not Coded ends in io.EOF.
	Bodies []Body
}

// Body is one form of the data of a candidate.
type Body struct {
	// Form describes how the data differ from the stored data: "as stored", "chunks joined", "gzip decoded".
	Form string

	// Coded means that the data are still in a coding that the source declares.
	Coded bool

	// Undeclared means that the source does not declare the form: a coding visible in the data, or another length. If
	// the data can be read in it, they may be the captured data, and the other forms prove nothing. If not, that proves
	// nothing.
	Undeclared bool

	open func() (io.ReadCloser, error)
}

// NewBody returns a Body that is not Coded. Each call of open must open the data from the beginning.
func NewBody(form string, open func() (io.ReadCloser, error)) Body {
	return Body{Form: form, open: open}
}

// AsStored is the Form of unchanged data.
const AsStored = "as stored"

// Open opens the data, which end in io.EOF or a *Flaw. If they exceed MaxBody bytes, reading fails with a
// *TooLarge.
func (b Body) Open() (io.ReadCloser, error) {
	r, err := b.open()
	if err != nil {
		return nil, err
	}
	return &cappedReader{ReadCloser: r, left: MaxBody}, nil
}

// Flaw means that a body differs from the declaration of its source, or is damaged. It replaces io.EOF, after all
// readable data. Such data may prove a match, but never a mismatch.
type Flaw struct {
	Reason  string // such as "the body does not match the coding gzip in its header: …"
	Damaged bool   // the source has a digest of the data that does not match
}

func (f *Flaw) Error() string { return f.Reason }

// TooLarge means that a body exceeds Limit bytes.
type TooLarge struct{ Limit int64 }

func (e *TooLarge) Error() string { return fmt.Sprintf("the body has more than %d bytes", e.Limit) }

// Strict returns the body with an error in place of a Flaw.
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
