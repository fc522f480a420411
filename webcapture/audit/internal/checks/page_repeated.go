package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var pageRepeated = &rule.Rule{
	ID:      "WC513",
	Title:   "A page occurs once in the page tree.",
	Problem: "Pages that occur twice in the page tree",
	Cause:   "typical of tools that reuse a page without copying it",
	Clause:  "ISO 32000-2:2020, 7.7.3.2",
	Level:   rule.Warning,
	Doc: "A page object has one parent, and so one place. Tools that reuse a page without copying it list it in " +
		"Kids again. Viewers then show it twice, and other tools treat the page tree as damaged. For the content " +
		"database it is one page.",
	Repair:        "None: webcap does not change the page tree.",
	MayFollow:     []rule.Action{rule.Rebuild},
	CheckDocument: checkPageRepeated,
}

func checkPageRepeated(p *rule.Pass, doc *rule.Document) {
	for _, at := range doc.Repeated {
		first, _ := doc.PageIndex(at.Object)
		p.Reportf(at, nil, "the page is also page %d", first+1)
	}
}
