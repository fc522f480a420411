// Package witness decides between two records of a content database that contradict each other.
//
// A Claim is a value with what supports it: proofs, such as the MD5 of an image's data, and records,
// such as the ID of a content set and those of its members. Decide compares two claims. Without
// evidence it decides for neither, so that no repair changes a record that may be right.
package witness

import (
	"fmt"
	"iter"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Claim is one of two values that contradict each other, with what supports it.
type Claim struct {
	Value   nametree.Key
	Proofs  []string // what proves the value, such as "the MD5 of its image"
	Records []string // independent records that have the value, the contradicting one first
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

	// Weak: the set is right if a pattern of many records explains the key, and nothing else
	// supports that.
	Weak bool
}

// MinRecords is the number of independent records that agree on a value where no proof decides.
const MinRecords = 2

// Remedy says what decides where no witness in the file does.
const Remedy = "--source or --from may tell, or choose with --prefer keys or sets"

// Decide compares the claim of a key with that of its content set. A proof decides if the other
// claim has none. Otherwise MinRecords records decide if the other claim has only the record that
// contradicts them. Doubt is what speaks against both values; it leaves agreement open. Prefer is
// the choice of the user; it counts where nothing else decides.
func Decide(key, set Claim, doubt []string, prefer Side) Verdict {
	switch {
	case proves(key, set):
		return Verdict{Right: Keys, Why: strings.Join(key.Proofs, " and ") + " proves the key"}
	case proves(set, key) && len(key.Records) <= 1:
		return Verdict{Right: Sets, Why: strings.Join(set.Proofs, " and ") + " proves the content set right"}
	case agrees(key, set, doubt):
		return Verdict{Right: Keys, Why: and(key.Records) + " agree on the key"}
	case agrees(set, key, doubt):
		return Verdict{Right: Sets, Why: and(set.Records) + " agree"}
	case prefer != Open:
		return Verdict{Right: prefer, Why: "you chose --prefer " + prefer.String()}
	}
	why := fmt.Sprintf("for the key: %s; for the content set: %s", and(evidence(key)), and(evidence(set)))
	if len(doubt) > 0 {
		why += "; for neither: " + and(doubt)
	}
	return Verdict{Why: why + "; " + Remedy, Weak: len(evidence(key)) <= 1 && len(doubt) == 0}
}

func proves(a, b Claim) bool { return len(a.Proofs) > 0 && len(b.Proofs) == 0 }

func agrees(a, b Claim, doubt []string) bool {
	return len(a.Records) >= MinRecords && len(b.Records) <= 1 && len(b.Proofs) == 0 && len(doubt) == 0
}

// evidence returns everything that supports a claim.
func evidence(c Claim) []string { return append(c.Proofs[:len(c.Proofs):len(c.Proofs)], c.Records...) }

// and joins the parts of a list.
func and(list []string) string {
	switch n := len(list); n {
	case 0:
		return "nothing"
	case 1:
		return list[0]
	default:
		return strings.Join(list[:n-1], ", ") + " and " + list[n-1]
	}
}

// Reader reads objects of a file.
type Reader interface {
	Resolve(object.Object) (object.Object, error)
	String(object.Object) (webcapture.String, error)
}

// Member is an element of O of a content set that is in the file.
type Member struct {
	Ref  object.Ref // Num 0 for one that stands in O itself
	Dict object.Dict
	ID   webcapture.String
}

// Members yields the members of a content set that are in the file. An error is about one member.
func Members(r Reader, set *webcapture.ContentSet) iter.Seq2[Member, error] {
	return func(yield func(Member, error) bool) {
		for o := range set.Members() {
			var m Member
			m.Ref, _ = o.Ref()
			resolved, err := r.Resolve(o)
			if err == nil && resolved.IsNull() {
				continue
			}
			if err == nil {
				m.Dict, _ = resolved.Dict()
				m.ID, err = r.String(m.Dict.Lookup("ID"))
			}
			if !yield(m, err) {
				return
			}
		}
	}
}
