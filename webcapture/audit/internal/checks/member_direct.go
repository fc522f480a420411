package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var MemberDirect = &rule.Rule{
	ID:      "WC408",
	Title:   "Elements of O are indirect references.",
	Problem: "Content set members that are not references",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "A page or image is an indirect object. Only a reference can name the same object that the page tree or a " +
		"page uses. An object stored directly in O is used nowhere else.",
	Repair: "Replace a null element by its page or image if WC522 finds it. Otherwise remove the element and its " +
		"count in R. Keep it if it may stand for a page or image, or if R has another length.",
	Evidence: rule.Evidence{
		Contradiction: "An element of O is null",
		Witness: "R has a count for each element. No page or image with the ID of the set may belong there " +
			"(otherwise WC522)",
		Undecided: "The element is kept",
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
