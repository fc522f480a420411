// Package witness decides between two records of a content database that contradict each other.
//
// A Claim is a value with its evidence: proofs, such as the MD5 of an image's data, and agreeing records, such as the
// IDs of members. Decide compares two claims. Without evidence it decides for neither, so no repair changes a record
// that may be right.
package witness

import (
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
)

// Claim is one of two contradicting values, with its evidence.
type Claim struct {
	Value   nametree.Key
	Proofs  []string // proofs of the value, such as "the MD5 of its image"
	Records []string // independent records with the same value, such as "the ID of 2 members"
}

// Side is one of two contradicting records, or Open.
type Side uint8

// The sides: a key of a name tree, and the content set in its value.
const (
	Open Side = iota // undecided
	Keys
	Sets
)

var sideNames = [...]string{"", "keys", "sets"}

// String returns the value of --prefer for the side; empty for Open.
func (s Side) String() string { return sideNames[s] }

// ParseSide returns the side with a name; false if no side has it.
func ParseSide(name string) (Side, bool) {
	for s, n := range sideNames {
		if n == name {
			return Side(s), true
		}
	}
	return Open, false
}

// Verdict is the decision between two claims, with the reason.
type Verdict struct {
	Right Side
	Why   string // a clause in lower case

	// Proven means that a proof decides.
	Proven bool

	// Chosen means that the user's choice decides, because nothing else does.
	Chosen bool

	// Weak means that nothing supports the key. The content set is then right if a pattern of many other records
	// explains the key.
	Weak bool
}

// Decide decides between a key and its content set. Proofs come first. A proof of the key decides unless the content
// set has a proof too. A proof of the content set decides only if nothing supports the key, because the key leaves the
// tree. Then records count: they decide for their side if nothing supports the other side, and if doubt is empty. doubt
// lists evidence against both values. Last, prefer decides, the user's choice.
func Decide(key, set Claim, doubt []string, prefer Side) Verdict {
	switch {
	case len(key.Proofs) > 0 && len(set.Proofs) == 0:
		return Verdict{Right: Keys, Proven: true, Why: and(key.Proofs) + " proves the key"}
	case len(set.Proofs) > 0 && !key.isSupported():
		return Verdict{Right: Sets, Proven: true, Why: and(set.Proofs) + " proves the ID or URL of the content set"}
	case len(key.Records) > 0 && !set.isSupported() && len(doubt) == 0:
		return Verdict{Right: Keys, Why: "the key agrees with " + and(key.Records)}
	case len(set.Records) > 0 && !key.isSupported() && len(doubt) == 0:
		return Verdict{Right: Sets, Why: "the content set agrees with " + and(set.Records)}
	case prefer != Open:
		return Verdict{Right: prefer, Chosen: true, Why: chosen(prefer)}
	}
	return Verdict{Why: undecided(key, set, doubt), Weak: !key.isSupported() && len(doubt) == 0}
}

func chosen(prefer Side) string { return "you chose --prefer " + prefer.String() }

func (c Claim) isSupported() bool { return len(c.Proofs)+len(c.Records) > 0 }

// undecided describes the evidence for each claim.
func undecided(key, set Claim, doubt []string) string {
	var parts []string
	for _, side := range []struct {
		name     string
		evidence []string
	}{
		{"the key", append(slices.Clone(key.Proofs), key.Records...)},
		{"the content set", append(slices.Clone(set.Proofs), set.Records...)},
		{"neither", doubt},
	} {
		if len(side.evidence) > 0 {
			parts = append(parts, "for "+side.name+": "+and(side.evidence))
		}
	}
	if len(parts) == 0 {
		parts = []string{"no evidence decides"}
	}
	return strings.Join(parts, "; ")
}

// and joins the elements of a list, which is not empty.
func and(list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
