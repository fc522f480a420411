package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberOrder = &rule.Rule{
	ID:      "WC507",
	Title:   "The pages of a page set are in page order in O.",
	Problem: "Page sets that do not list their pages in page order",
	Clause:  "ISO 32000-2:2020, 14.10.4.2, table 389",
	Level:   rule.Note,
	Doc: "O lists pages in the order in which they were first added to the file. All known writers add them in " +
		"page order. Another order means that pages were moved later.",
	Repair:        "None: the order of O records how the pages were added.",
	CheckDocument: checkMemberOrder,
}

func checkMemberOrder(p *rule.Pass, doc *rule.Document) {
	for set := range doc.Members.Sets() {
		if len(set) < 2 || set[0].Subtype != webcapture.PageSet {
			continue
		}
		last := -1
		for _, m := range set {
			page, ok := doc.PageIndex(m.Member)
			if !ok {
				continue
			}
			if page < last {
				member := rule.Member{Ref: m.Member}
				at := member.At(rule.Membership{Set: m.Set, ID: m.ID, HasID: m.HasID})
				p.Reportf(at, nil, "O lists page %d after page %d", page+1, last+1)
				break
			}
			last = page
		}
	}
}
