package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberDangling = &rule.Rule{
	ID:      "WC409",
	Title:   "Elements of O refer to objects that are in the file.",
	Problem: "Content set members missing from the file",
	Cause:   "typical of tools that remove pages",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc: "Tools that remove pages often leave the content database unchanged. The set then lists pages or images " +
		"that no longer exist.",
	Repair: "Remove the element and its count in R, unless R has another length. If nothing else is in O, WC522 may " +
		"fill it.",
	Basis: rule.Basis{
		Wrong:     "An element of O refers to an object that is not in the file",
		Right:     "Not needed: the element leads to nothing. R must have a count for each element",
		Otherwise: "The element is kept",
	},
	Action:      rule.DropMember,
	CheckMember: checkMemberDangling,
}

func checkMemberDangling(p *rule.Pass, m *rule.Member, _ *rule.Document) {
	if !m.Object.IsNull() {
		return
	}
	for _, in := range m.In {
		if !p.Spend(rule.ElementCost) {
			return
		}
		p.Reportf(m.At(in), dropMember(in.Set, in.Index),
			"element %d of O refers to %v, which is null or not in the file", in.Index, m.Ref)
	}
}
