package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var MemberDirect = &rule.Rule{
	ID:      "WC408",
	Title:   "Elements of O are indirect references.",
	Problem: "Members of content sets are not references",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc: "A page or image is an object of its own; only by its reference can it be the same one that " +
		"the page tree or a page shows. What stands in O itself is nowhere else.",
	Repair: "An element that is null becomes the page or image that it stood for, if WC522 finds that; else it is " +
		"dropped, with its element of R, unless it may stand for one, or R has another length.",
	Evidence: rule.Evidence{
		Contradiction: "An element of O, which is null",
		Witness: "R has a count for each element, and no page or image with the ID of the set may have been there " +
			"(else WC522)",
		Undecided: "The element stays",
	},
	Action:   rule.DropMember,
	CheckSet: checkMemberDirect,
}

func checkMemberDirect(p *rule.Pass, s *rule.Set) {
	for i, o := range membersOf(p, s) {
		if o.Kind() == object.Reference {
			continue
		}
		var fix *rule.Fix
		if o.IsNull() {
			fix = dropMember(s.Ref, i)
		}
		p.Reportf(s.At(), fix, "element %d of O is %s, not a reference", i, Describe(p, o))
	}
}
