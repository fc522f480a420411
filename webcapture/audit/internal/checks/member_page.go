package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberPage = &rule.Rule{
	ID:      "WC501",
	Title:   "A member of a page set is a page.",
	Problem: "Page sets that list objects other than pages",
	Clause:  "ISO 32000-2:2020, 14.10.4.2, table 389",
	Level:   rule.Error,
	Doc: "O of a page set lists page objects. A viewer that updates or deletes captured content takes each of them " +
		"out of the page tree. Here it finds another object.",
	Repair:      "None: the intended page is unknown.",
	MayFollow:   []rule.Action{rule.OwnObject}, // the place of the content set changes
	CheckMember: checkMemberPage,
}

func checkMemberPage(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	in, ok := m.First(webcapture.PageSet)
	if ok && !m.Object.IsNull() && !m.Fits(webcapture.PageSet, doc) {
		p.Reportf(m.At(in), nil, "the member of a page set is %s, not a page", describeMember(p, m))
	}
}
