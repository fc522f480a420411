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
	Repair: "Remove a null element and its count in R, unless R has another length. If nothing else is in O, " +
		"WC522 may fill it.",
	Basis: rule.Basis{
		Wrong:     "An element of O is null",
		Right:     "Not needed: the element leads to nothing. R must have a count for each element",
		Otherwise: "The element is kept",
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
