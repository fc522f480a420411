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

// ParseProof returns the proof with the String s; false if there is none.
func ParseProof(s string) (p Proof, ok bool) {
	for p := range Proofs {
		if p.String() == s {
			return p, true
		}
	}
	return 0, false
}

// Identity is the result of checking the ID of a content set against its source (14.10.3.3) in Options.Source.
type Identity struct {
	Place   Place // place of the content set
	Subtype webcapture.Subtype
	ID      nametree.Key // as stored; empty if it is missing
	URL     string       // URL under which the source was found; otherwise the first URL of the content set
	Proof   Proof
	Where   string // file, and place in it, of the compared source
	Reading string // only for Verified: how the ID results from the source
	Reason  string // only for Mismatch and NotCheckable

	// Text is the reading of the source's text that gives the text identifier (TID). It is empty if the content set has
	// no TID, or no reading gives it.
	Text string

	// Capture is the capture at Where; it is zero without one. Tried is the number of captures that were tried: until
	// one gave the ID, or all.
	Capture Capture
	Tried   int
}

// Capture describes one capture of a URL in a source.
type Capture struct {
	Record string    // type of the record, or another description of its place; empty if the source does not tell
	Time   time.Time // time of retrieval; zero if the source does not tell
	Status int       // HTTP status of the response; 0 if the source does not tell
	MD5    digest.ID // MD5 of the file alone, without the files to which it refers
}

// Evidence describes, on one line, the capture with which the ID was compared; empty without a capture.
func (i *Identity) Evidence() string {
	c := i.Capture
	if i.Tried == 0 {
		return ""
	}
	s := cmp.Or(c.Record, "capture")
	if !c.Time.IsZero() {
		s += " of " + c.Time.UTC().Format(time.RFC3339)
	}
	if c.Status != 0 {
		s += fmt.Sprintf(" with status %d", c.Status)
	}
	tried := fmt.Sprintf("%d captures tried", i.Tried)
	if i.Tried == 1 {
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
