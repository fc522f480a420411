package audit

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

var memberDirect = &Rule{
	ID:      "WC408",
	Title:   "Elements of O are indirect references.",
	Problem: "Members of content sets are not references",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   Error,
	Doc: "A page or image is an object of its own; only by its reference can it be the same one that " +
		"the page tree or a page shows. What stands in O itself is nowhere else.",
	Repair:   "An element that is null is dropped, with its element of R.",
	Action:   DropMember,
	CheckSet: checkMemberDirect,
}

func checkMemberDirect(p *Pass, s *Set) {
	for i, o := range p.members(s) {
		if o.Kind() == object.Reference {
			continue
		}
		var fix *Fix
		if o.IsNull() {
			fix = dropMember(s.Ref, i)
		}
		p.Reportf(s.At(), fix, "element %d of O is %s, not a reference", i, describe(p, o))
	}
}
