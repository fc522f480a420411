package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var MemberTwice = &rule.Rule{
	ID:      "WC410",
	Title:   "No object stands twice in O of a content set.",
	Problem: "Content sets list an object twice",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc: "O says which pages or images were made from the source, and R counts for each image. An " +
		"object that stands there twice is counted twice.",
	Repair: "The later elements are dropped, with their elements of R, unless R has another length.",
	Evidence: rule.Evidence{
		Contradiction: "An object is in O twice",
		Witness: "R has a count for each element, and no page or image with the ID of the set may have been there " +
			"(else WC522)",
		Undecided: "The element stays",
	},
	Action:   rule.DropMember,
	CheckSet: checkMemberTwice,
}

func checkMemberTwice(p *rule.Pass, s *rule.Set) {
	if ascendingMembers(s) {
		return
	}
	first := map[object.Ref]int{}
	for i, o := range membersOf(p, s) {
		ref, ok := o.Ref()
		if !ok {
			continue
		}
		if j, twice := first[ref]; twice {
			p.Reportf(s.At(), dropMember(s.Ref, i), "elements %d and %d of O are the same, %v", j, i, ref)
		} else {
			first[ref] = i
		}
	}
}
