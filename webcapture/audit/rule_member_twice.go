package audit

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

var memberTwice = &Rule{
	ID:      "WC410",
	Title:   "No object stands twice in O of a content set.",
	Problem: "Content sets list an object twice",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   Error,
	Doc: "O says which pages or images were made from the source, and R counts for each image. An " +
		"object that stands there twice is counted twice.",
	Repair:   "The later elements are dropped.",
	Action:   DropMember,
	CheckSet: checkMemberTwice,
}

func checkMemberTwice(p *Pass, s *Set) {
	if ascendingMembers(s) {
		return
	}
	first := map[object.Ref]int{}
	for i, o := range p.members(s) {
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
