package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberPageTree = &rule.Rule{
	ID:      "WC506",
	Title:   "A page of a page set is in the page tree.",
	Problem: "Page sets list pages that are not in the document any more",
	Cause:   "as tools leave them that take pages out",
	Clause:  "ISO 32000-2:2020, 14.10.4.2 and 7.7.3",
	Level:   rule.Warning,
	Doc: "The page belongs to the content database, but to no page of the document: it was taken out of " +
		"the page tree by a tool that does not know O, so its content is still in the file, where nobody " +
		"sees it.",
	Repair: "On request the page is taken out of O.",
	Evidence: rule.Evidence{
		Contradiction: "A page in O, and the page tree, which does not have it",
		Witness:       "The user, who names the rule",
		Undecided:     "The page stays in O",
	},
	OnRequest:   true,
	Action:      rule.DropMember,
	CheckMember: checkMemberPageTree,
}

func checkMemberPageTree(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	in, ok := m.First(webcapture.PageSet)
	if !ok || !doc.Whole || !m.IsPage(doc) {
		return
	}
	if _, inTree := doc.PageIndex(m.Ref); !inTree {
		p.Reportf(m.At(in), dropMember(in.Set, in.Index), "the page is not in the page tree")
	}
}
