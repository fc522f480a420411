package rule

import (
	"cmp"
	"fmt"
	"time"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

// A Proof says whether a digital identifier is that of its source.
type Proof uint8

// String returns the proof in lower case.
func (p Proof) String() string { return [Proofs]string{"not checkable", "verified", "mismatch"}[p] }

// ParseProof returns the proof of which s is the String.
func ParseProof(s string) (p Proof, ok bool) {
	for p := range Proofs {
		if p.String() == s {
			return p, true
		}
	}
	return 0, false
}

// An Identity says whether the ID of a content set is the digital identifier of
// its source (14.10.3.3), as Options.Source has it.
type Identity struct {
	Place   Place // of the content set
	Subtype webcapture.Subtype
	ID      nametree.Key // as it is stored; empty if it is missing
	URL     string       // by which the source was found, or else the first of the set
	Proof   Proof
	Where   string // the file, and the place in it, that gave the ID, or that does not
	Reading string // of Verified: how the ID comes from what is there
	Reason  string // of Mismatch and NotCheckable

	// Text is the reading of the source's text that gives the text identifier,
	// TID; empty if the set has none, or no reading gives it.
	Text string

	// Capture is the one at Where, and Tried the number of captures that were tried: until one gave the ID, or all.
	// It is 0 if there was none.
	Capture Capture
	Tried   int
}

// A Capture describes what a source keeps of a URL.
type Capture struct {
	Record string    // the type of the record, or what else of the source has it; empty if the source does not say
	Time   time.Time // of retrieval; zero if the source does not say
	Status int       // of the reply; 0 if the source does not say
	MD5    digest.ID // of the file, without those that it refers to
}

// Evidence says on one line what the capture is that an ID was held against; empty if there is none.
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
	NotCheckable Proof = iota // the sources prove nothing
	Verified                  // it is the MD5 of the source
	Mismatch                  // it is not

	Proofs
)
