package rule

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

// A Proof says whether a digital identifier is that of what it stands for.
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
}

// The proofs.
const (
	NotCheckable Proof = iota // nobody knows
	Verified                  // it is the MD5 of the source
	Mismatch                  // it is not

	Proofs
)
