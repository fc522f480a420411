package audit

import (
	"github.com/webcap-tools/webcap/webcapture"
)

var memberTemplate = &Rule{
	ID:      "WC502",
	Title:   "A member of a page set is a page that is shown, not a template.",
	Problem: "Page sets list templates, which are not shown",
	Clause:  "ISO 32000-2:2020, 14.10.4.2, table 389, and 12.7.7",
	Level:   Note,
	Doc: "A template is an invisible page from which a form makes others. It is legitimate in a page set, " +
		"but its captured content is not among the pages that a reader sees.",
	Repair:      "None.",
	CheckMember: checkMemberTemplate,
}

func checkMemberTemplate(p *Pass, m *Member, _ *Document) {
	if in, ok := m.first(webcapture.PageSet); ok && m.isTemplate() {
		p.Reportf(m.At(in), nil, "the member of a page set is a template page, which is not shown")
	}
}
