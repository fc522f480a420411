// Package capture defines the common results of all kinds of sources: candidates, their bodies, and counts of
// skipped captures.
package capture

import (
	"cmp"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// Candidate is one capture of a URL.
type Candidate struct {
	URL       string    // as in the source
	MediaType string    // with parameters, as in the source; empty if unknown
	Time      time.Time // time of retrieval; zero if unknown
	Where     string    // file, and position in the file, for messages; unique for the data

	Record string // type of the record or other object of the source; empty if there are no types
	Status int    // status of the response; 0 if unknown
	Size   int64  // size of the data in bytes; negative if it is unknown before the data are read

	// Revisit is the place of the data, if the source only records that the response was the same as an earlier
	// response. Otherwise it is empty.
	Revisit string

	// Redirect is the target of a redirect; such a candidate has no Body. Otherwise it is empty.
	Redirect string

	// Doubt is the first reason, known before the data are read, why they may differ from the captured data. It is
	// empty if there is none. Data with a doubt can verify an identifier, but never prove a mismatch. See also Stats.Lost.
	Doubt string

	// Body is the data. It is nil for a redirect, and for an unusable capture, such as a partial response. The Doubt of
	// an unusable capture says why it is unusable.
	Body *body.Body
}

// setAlike marks a candidate that was found under a similar URL.
func (c *Candidate) setAlike() {
	c.Where += ", found as " + c.URL
	c.Doubt = "the capture is of a similar URL"
	if _, at, ok := urlkey.Replayed(c.URL); ok {
		c.Time, c.Doubt = at, "a web archive replayed the capture"
	}
}

// Sums reads the data once, and returns their digests in each form. The Doubt includes that of the candidate. pay may
// be nil. See body.Body.Sums for errors.
func (c *Candidate) Sums(pay func(n int64) error) (body.Sums, error) {
	s, err := c.Body.Sums(pay)
	s.Doubt = cmp.Or(c.Doubt, s.Doubt)
	return s, err
}
