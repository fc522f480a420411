package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var pageRepeated = &rule.Rule{
	ID:      "WC513",
	Title:   "A page stands in the page tree once.",
	Problem: "Pages stand in the page tree twice",
	Cause:   "as tools leave them that take a page again without copying it",
	Clause:  "ISO 32000-2:2020, 7.7.3.2",
	Level:   rule.Warning,
	Doc: "A page object has one parent, and so one place. Tools that take a page twice without copying it " +
		"list it in Kids again; viewers then show it twice, and other tools take the page tree for damaged. " +
		"For the content database it is one page.",
	Repair:        "None: the page tree is not changed.",
	MayFollow:     []rule.Action{rule.Rebuild},
	CheckDocument: checkPageRepeated,
}

func checkPageRepeated(p *rule.Pass, doc *rule.Document) {
	for _, at := range doc.Repeated {
		first, _ := doc.PageIndex(at.Object)
		p.Reportf(at, nil, "the page is page %d already", first+1)
	}
}
