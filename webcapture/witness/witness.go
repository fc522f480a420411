// Package witness decides between two records of a content database that contradict each other.
//
// A Claim is a value with what supports it: proofs, such as the MD5 of an image's data, and records,
// such as the ID of a content set and those of its members. Decide compares two claims. Without
// evidence it decides for neither, so that no repair changes a record that may be right.
package witness

import (
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
)

// Claim is one of two values that contradict each other, with what supports it.
type Claim struct {
	Value   nametree.Key
	Proofs  []string // what proves the value, such as "the MD5 of its image"
	Records []string // independent records that have the value too, such as "the ID of 2 members"
}

// Side is one of the two records that contradict each other.
type Side uint8

// The sides: a key of a name tree, and the content set that it leads to.
const (
	Open Side = iota // neither is known to be right
	Keys
	Sets
)

var sideNames = [...]string{"", "keys", "sets"}

// String returns the side as --prefer names it; empty for Open.
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

// Verdict says which of two claims is right, and why.
type Verdict struct {
	Right Side
	Why   string // a clause in lower case

	// Proven: a proof decides, not agreement or a choice.
	Proven bool

	// Chosen: the user decides, because nothing else does.
	Chosen bool

	// Weak: the set is right if a pattern of many records explains the key, and nothing else
	// supports that.
	Weak bool
}

// Decide compares the claim of a key with that of its content set. A proof of the key decides unless
// the set has one. A proof of the set, which takes a key out of the tree, decides if nothing supports
// the key. Without proofs, a record that agrees with one of the two decides if nothing supports the
// other. Doubt is what speaks against both values; it leaves agreement open. Prefer is the choice of
// the user; it counts where nothing else decides.
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

// undecided lists what supports which claim.
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

// and joins the parts of a list that has some.
func and(list []string) string {
	last := len(list) - 1
	if last == 0 {
		return list[0]
	}
	return strings.Join(list[:last], ", ") + " and " + list[last]
}
