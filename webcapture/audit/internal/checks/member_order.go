package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberOrder = &rule.Rule{
	ID:      "WC507",
	Title:   "The pages of a page set stand in O in page order.",
	Problem: "The pages of a page set are not in page order",
	Clause:  "ISO 32000-2:2020, 14.10.4.2, table 389",
	Level:   rule.Note,
	Doc: "O has the pages in the order in which they were first added to the file. All known writers add " +
		"them in page order, so another order says that pages were moved since.",
	Repair:        "None: the order of O tells how the pages were added, and stays.",
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
				p.Reportf(at, nil, "page %d stands in O after page %d", page+1, last+1)
				break
			}
			last = page
		}
	}
}
