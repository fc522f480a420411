package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberDangling = &rule.Rule{
	ID:      "WC409",
	Title:   "Elements of O refer to objects that are in the file.",
	Problem: "Members of content sets are missing from the file",
	Cause:   "as tools leave them that take pages out",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc: "Tools that take pages out of a file often keep the content database as it is. The set then " +
		"claims pages or images that are gone.",
	Repair: "It becomes the page or image that it stood for, if WC522 finds that; else it is dropped, with its element " +
		"of R, unless it may stand for one, or R has another length.",
	Evidence: rule.Evidence{
		Contradiction: "An element of O, and the file, which does not have it",
		Witness: "R has a count for each element, and no page or image with the ID of the set may have been there " +
			"(else WC522)",
		Undecided: "The element stays",
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
