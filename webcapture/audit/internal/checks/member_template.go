package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberTemplate = &rule.Rule{
	ID:      "WC502",
	Title:   "A member of a page set is a visible page, not a template.",
	Problem: "Page sets that list templates",
	Clause:  "ISO 32000-2:2020, 14.10.4.2, table 389, and 12.7.7",
	Level:   rule.Note,
	Doc: "A template is an invisible page from which a form makes other pages. It is valid in a page set, but its " +
		"captured content is not on a page that viewers show.",
	Repair:      "None.",
	CheckMember: checkMemberTemplate,
}

func checkMemberTemplate(p *rule.Pass, m *rule.Member, _ *rule.Document) {
	if in, ok := m.First(webcapture.PageSet); ok && m.IsTemplate() {
		p.Reportf(m.At(in), nil, "the member of a page set is a template page, which viewers do not show")
	}
}
