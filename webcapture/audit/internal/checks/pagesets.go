package checks

// Page sets: their members are in the page tree (14.10.4.2).

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberPageTree = &rule.Rule{
	ID:      "WC506",
	Title:   "A page of a page set is in the page tree.",
	Problem: "Page sets that list pages outside the page tree",
	Cause:   "typical of tools that remove pages",
	Clause:  "ISO 32000-2:2020, 14.10.4.2 and 7.7.3",
	Level:   rule.Warning,
	Doc: "A tool that ignores O removed the page from the page tree. The content database still lists the page. " +
		"Its content is still in the file, but no viewer shows it.",
	Repair: "Remove the page from O.",
	Basis: rule.Basis{
		Wrong:     "A page is in O, but not in the page tree",
		Right:     "The user, by naming the rule",
		Otherwise: "The page stays in O",
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
	if !doc.IsPage(m.Ref) {
		p.Reportf(m.At(in), dropMember(in.Set, in.Index), "the page is not in the page tree")
	}
}
