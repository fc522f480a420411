package rule

import (
	"cmp"
	"fmt"
	"time"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

// Proof is the result of checking a digital identifier against its source.
type Proof uint8

// String returns the proof in lower case.
func (p Proof) String() string { return [Proofs]string{"not checkable", "verified", "mismatch"}[p] }

// Identity is the result of checking the ID of a content set against its source (14.10.3.3) in Options.Source.
type Identity struct {
	Place   Place              `json:"place"` // place of the content set
	Subtype webcapture.Subtype `json:"kind"`
	ID      nametree.Key       `json:"id"` // as stored; empty if it is missing

	// URL is the one under which the source was found; otherwise the first URL of the content set.
	URL nametree.Key `json:"url,omitempty"`

	Proof   Proof  `json:"proof"`
	Where   string `json:"where,omitempty"`   // file, and place in it, of the compared source
	Reading string `json:"reading,omitempty"` // only for Verified: how the ID results from the source
	Reason  string `json:"reason,omitempty"`  // only for Mismatch and NotCheckable

	// Text is the reading of the source's text that gives the text identifier (TID). It is empty if the content set has
	// no TID, or no reading gives it.
	Text string `json:"text,omitempty"`

	Capture Capture `json:"capture,omitzero"` // the capture at Where; zero without one
}

// Capture describes one capture of a URL in a source.
type Capture struct {
	// Record is the type of the record, or another description of its place; empty if the source does not tell.
	Record string `json:"record,omitempty"`

	Time   time.Time `json:"time,omitzero"`    // time of retrieval; zero if the source does not tell
	Status int       `json:"status,omitempty"` // HTTP status of the response; 0 if the source does not tell
	MD5    digest.ID `json:"md5"`              // MD5 of the file alone, without the files to which it refers
	Tried  int       `json:"tried"`            // number of captures that were tried: until one gave the ID, or all
}

// Evidence describes, on one line, the capture with which the ID was compared; empty without a capture.
func (i *Identity) Evidence() string {
	c := i.Capture
	if c.Tried == 0 {
		return ""
	}
	s := cmp.Or(c.Record, "capture")
	if !c.Time.IsZero() {
		s += " of " + c.Time.UTC().Format(time.RFC3339)
	}
	if c.Status != 0 {
		s += fmt.Sprintf(" with status %d", c.Status)
	}
	tried := fmt.Sprintf("%d captures tried", c.Tried)
	if c.Tried == 1 {
		tried = "1 capture tried"
	}
	found := fmt.Sprintf("MD5 of the file <%v>", c.MD5)
	if i.Proof == Verified && string(i.ID) != string(c.MD5[:]) {
		found = fmt.Sprintf("computed identifier <%x>, MD5 of the page alone <%v>", string(i.ID), c.MD5)
	}
	return fmt.Sprintf("%s, %s, expected <%x>, %s", s, tried, string(i.ID), found)
}

// The proofs.
const (
	NotCheckable Proof = iota // the sources neither confirm nor contradict the identifier
	Verified                  // the identifier is the MD5 of its source
	Mismatch                  // the identifier is not the MD5 of its source

	Proofs
)
