// Package source finds what was retrieved from a URL, where people keep such
// things: folders, WARC and ARC files, WACZ, HAR and MHTML files, and the cache of
// WWWOFFLE. With it, digital identifiers (ISO 32000-2:2020, 14.10.3.3) can be computed anew.
//
//	src, err := source.Open(source.WARC, "crawl.warc.gz", source.Options{})
//	…
//	defer src.Close()
//	for c, err := range source.Find(src, "http://www.example.com/") {
//		for _, body := range c.Bodies { … }
//	}
//
// A source that is damaged is used as far as it can be read: what was skipped is
// counted with its reason, in Stats. Nothing that is kept is held in memory but
// where it is.
package source

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/canon"
)

// A Source is a place where what was retrieved from URLs is kept. It is safe for
// concurrent use.
type Source interface {
	// Lookup yields what is kept of a URL, which may be in any form that
	// reduces to the same key: the newest last where there are dates, otherwise
	// in the order of the source. An error speaks of one thing that is kept and
	// cannot be read now; others may follow.
	Lookup(url string) iter.Seq2[*Candidate, error]

	// Stats says what the source holds and what of it is of no use.
	Stats() Stats

	// Close releases the source. No body may be read afterwards.
	Close() error
}

// A Candidate is what was once retrieved from a URL.
type Candidate struct {
	URL       string    // as the source has it
	MediaType string    // with parameters, as the source has it; empty if it says nothing
	Time      time.Time // of retrieval; zero if the source says nothing
	Where     string    // the file, and the place in it, for people to read

	// Loose says that the data may not be what was retrieved from the URL: it is
	// the name alone that ties them to it, as with a file page.html for the URL
	// …/page, or a program has written them anew, or cut them. If their digest
	// agrees, that is a proof; if not, it says nothing.
	Loose bool

	// Failed says that the reply was that of an error, of status 400 or more. For
	// a page it is what a client showed; in place of an image there was none.
	Failed bool

	// Redirect is where a reply sent the client instead; such a candidate has
	// no Bodies. Otherwise it is empty.
	Redirect string

	// Bodies are the data in each form in which they may have been digested:
	// first as they are stored, then with codings taken off. There is at least
	// one. Which codings there really are shows when a body is read: one that
	// is not in the coding that its header names gives an error.
	Bodies []Body
}

// A Body is data of a candidate in one form.
type Body struct {
	// Form says what was done to the data as they are stored: "as stored",
	// "chunks joined", "gzip decoded".
	Form string

	open func() (io.ReadCloser, error)
}

// NewBody returns a Body whose data are what open opens, each time from the
// beginning.
func NewBody(form string, open func() (io.ReadCloser, error)) Body { return Body{form, open} }

// AsStored is the Form of data of which nothing was taken off.
const AsStored = "as stored"

// Open opens the data. More than MaxBody bytes of them cannot be read: the
// error is a *TooLarge then.
func (b Body) Open() (io.ReadCloser, error) {
	r, err := b.open()
	if err != nil {
		return nil, err
	}
	return &capped{ReadCloser: r, left: MaxBody}, nil
}

// MaxBody is the number of bytes that a body may have, decoded. It is there for
// compressed data that are made to fill disks.
const MaxBody = 1 << 30

// TooLarge says that a body has more than Limit bytes.
type TooLarge struct{ Limit int64 }

func (e *TooLarge) Error() string { return fmt.Sprintf("the body has more than %d bytes", e.Limit) }

type capped struct {
	io.ReadCloser
	left int64
}

func (c *capped) Read(p []byte) (int, error) {
	if c.left < 0 {
		return 0, &TooLarge{MaxBody}
	}
	n, err := c.ReadCloser.Read(p[:min(int64(len(p)), c.left+1)])
	if c.left -= int64(n); c.left < 0 {
		return n - 1, &TooLarge{MaxBody}
	}
	return n, err
}

// Stats says what a source holds.
type Stats struct {
	Files   int    // that were read to know what there is
	Kept    int    // things that Lookup can find
	Skipped []Skip // in the order of their reasons
}

// A Skip is things in a source that are of no use, for one reason.
type Skip struct {
	Reason string // such as "a reply to POST"
	Count  int
	First  string // where the first of them is
}

// A tally counts what a reader of a source meets.
type tally struct {
	Stats
	skips map[string]*Skip
}

func (t *tally) skip(where, reason string) {
	s := t.skips[reason]
	if s == nil {
		if t.skips == nil {
			t.skips = map[string]*Skip{}
		}
		s = &Skip{Reason: reason, First: where}
		t.skips[reason] = s
	}
	s.Count++
}

// add adds the counts of another source.
func (t *tally) add(s Stats) {
	t.Files += s.Files
	t.Kept += s.Kept
	for _, k := range s.Skipped {
		t.skip(k.First, k.Reason)
		t.skips[k.Reason].Count += k.Count - 1
	}
}

// stats returns the counts so far.
func (t *tally) stats() Stats {
	s := t.Stats
	for _, skip := range t.skips {
		s.Skipped = append(s.Skipped, *skip)
	}
	slices.SortFunc(s.Skipped, func(a, b Skip) int { return cmp.Compare(a.Reason, b.Reason) })
	return s
}

// key returns the form in which URLs are compared: canonical by ISO
// 32000-2:2020, 14.10.3.2, and as programs write what people give otherwise:
// with a slash for an empty path, without the default port of https, and with
// escapes for what no URL can have.
func key(url string) string {
	k := canon.PDF2.Append(nil, withEscapes(url))
	start := bytes.Index(k, []byte("://"))
	if start < 0 {
		return string(k)
	}
	start += len("://")
	end := len(k)
	if i := bytes.IndexAny(k[start:], "/?"); i >= 0 {
		end = start + i
	}
	if port := []byte(":443"); string(k[:start]) == "https://" && bytes.HasSuffix(k[:end], port) {
		k = slices.Delete(k, end-len(port), end)
		end -= len(port)
	}
	if end == len(k) || k[end] == '?' {
		k = slices.Insert(k, end, '/')
	}
	return string(k)
}

// withEscapes returns a URL with escapes for octets that it cannot have. Which
// of them they leave as they are is where programs differ.
func withEscapes(url string) []byte {
	b := make([]byte, 0, len(url))
	for _, c := range []byte(url) {
		if plainURL(rune(c)) {
			b = append(b, c)
		} else {
			b = fmt.Appendf(b, "%%%02X", c)
		}
	}
	return b
}

func plainURL(r rune) bool {
	return r > ' ' && r < 0x7f && !strings.ContainsRune("\"<>\\^`{|}", r)
}

// resolve returns the URL that ref, in a document at base, stands for.
func resolve(base, ref string) string {
	return string(canon.PDF2.Resolve(nil, []byte(base), []byte(ref)))
}
