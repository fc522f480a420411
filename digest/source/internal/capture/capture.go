// Package capture has what all kinds of sources yield: candidates, their bodies, and counts of what was skipped.
package capture

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"time"
)

// Options says how to open a source. The zero value suits most.
type Options struct {
	// Indexes is a folder in which the indexes of WARC and ARC files are kept
	// from one time to the next; empty for none. An index counts as long as the
	// file has the size and the time of modification that it was made for.
	Indexes string

	Guessed bool // Open was given no kind
}

// Source is a place where what was retrieved from URLs is kept. It is safe for
// concurrent use.
type Source interface {
	// Lookup yields what is kept of a URL, which may be in any form that
	// reduces to the same key: the newest last where there are dates, otherwise
	// in the order of the source. An error speaks of one thing that is kept and
	// cannot be read now; others may follow.
	Lookup(url string) iter.Seq2[*Candidate, error]

	// LookupAlike yields what is kept of other URLs that are Alike, and what its name
	// alone ties to the URL, which has no URL then. Find uses it if it has nothing better.
	LookupAlike(url string) iter.Seq2[*Candidate, error]

	// StatsStats says what the source holds and what of it is of no use.
	Stats() Stats

	// Close releases the source. No body may be read afterwards.
	Close() error
}

// Candidate is one capture of a URL.
type Candidate struct {
	URL       string    // as the source has it; empty if it has only a name
	MediaType string    // with parameters, as the source has it; empty if it says nothing
	Time      time.Time // of retrieval; zero if the source says nothing
	Where     string    // the file, and the place in it, for people to read; other data are elsewhere

	// Data is what the data are known by, if that is not where they are: any number of lines
	// of a list may name one file, and any number of records the same payload. What is said of a
	// payload holds if Payload agrees.
	Data string

	// Payload is the digest that the source has of one of the Bodies, without saying of which:
	// some programs take off chunks for that, some more. If it agrees with none, the source is
	// damaged. It is empty if there is none that can be checked.
	Payload Checksum

	// Uncertain says that the data may not be what was retrieved from the URL: it is
	// the name alone that ties them to it, as with a file page.html for the URL
	// …/page, or a program has written them anew, or cut them. If their digest
	// agrees, that is a proof; if not, it says nothing.
	Uncertain bool

	Record string // the type of the record, or what else of the source it is; empty if that is nothing to tell
	Status int    // of the reply; 0 if the source does not say
	Size   int64  // of the data in bytes; negative where only reading them would tell

	// Revisit is where the data are, if the source has nothing but a note that the reply was the
	// same as one before.
	Revisit string

	// Doubt says why data that differ prove nothing; nil if there is no such reason but those of the bodies.
	Doubt *Flaw

	// Failed says that the reply was that of an error, of status 400 or more. For
	// a page it is what a client showed; in place of an image there was none.
	Failed bool

	// Redirect is where a reply sent the client instead; such a candidate has
	// no Bodies. Otherwise it is empty.
	Redirect string

	// Bodies are the data in each form in which they may have been digested:
	// first as they are stored, then with codings taken off. There is at least
	// one that is not Coded. Which codings there really are shows when a body is read:
	// one that is not in the coding that its header names ends in a *Flaw.
	//
	// The candidate can only be said not to be what was captured if every body that is not
	// Coded ends in io.EOF.
	Bodies []Body
}

// Body is data of a candidate in one form.
type Body struct {
	// Form says what was done to the data as they are stored: "as stored",
	// "chunks joined", "gzip decoded".
	Form string

	// Coded says that a coding is on the data that the source declares.
	Coded bool

	// Undeclared says that the source does not declare the form: a coding that the data show, or another length. If
	// the data can be read in it, they may be what was captured, and the other forms prove nothing. If they cannot
	// be, that says nothing.
	Undeclared bool

	open func() (io.ReadCloser, error)
}

// NewBody returns a Body, not Coded, whose data are what open opens, each time from the
// beginning.
func NewBody(form string, open func() (io.ReadCloser, error)) Body {
	return Body{Form: form, open: open}
}

// AsStored is the Form of data of which nothing was taken off.
const AsStored = "as stored"

// Open opens the data, which end in io.EOF or a *Flaw. More than MaxBody bytes of them
// cannot be read: the error is a *TooLarge then.
func (b Body) Open() (io.ReadCloser, error) {
	r, err := b.open()
	if err != nil {
		return nil, err
	}
	return &cappedReader{ReadCloser: r, left: MaxBody}, nil
}

// Flaw says that a body is not what its source declares, or is damaged. It comes in place
// of io.EOF, when all was read that can be. That may prove what it is, and if it does not,
// it says nothing.
type Flaw struct {
	Reason  string // such as "it is not in the coding gzip that its header names: …"
	Damaged bool   // the source has a digest of the data, which does not agree with them
}

func (f *Flaw) Error() string { return f.Reason }

// TooLarge says that a body has more than Limit bytes.
type TooLarge struct{ Limit int64 }

func (e *TooLarge) Error() string { return fmt.Sprintf("the body has more than %d bytes", e.Limit) }

// Strict returns the body with an error in place of a Flaw: what is not as it should be is not the body.
func (b Body) Strict() Body {
	open := b.open
	b.open = func() (io.ReadCloser, error) {
		r, err := open()
		return strictReader{r}, err
	}
	return b
}

var errStrict = errors.New("the data do not have this form")

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
