package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var MemberTwice = &rule.Rule{
	ID:      "WC410",
	Title:   "O of a content set lists each object once.",
	Problem: "Content sets that list an object twice",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "O lists the pages or images that were made from the source, and R has a count for each image. An object " +
		"that O lists twice is counted twice.",
	Repair: "Remove the later elements and their counts in R, unless R has another length.",
	Basis: rule.Basis{
		Wrong:     "O lists an object twice",
		Right:     "Not needed: the object stays in O. R must have a count for each element",
		Otherwise: "The element is kept",
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
