package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var pageZoomAlone = &rule.Rule{
	ID:      "WC525",
	Title:   "A page with PZ has an ID.",
	Problem: "Pages have PZ without an ID",
	Clause:  "ISO 32000-2:2020, 7.7.3.3, table 31, and 14.10.6",
	Level:   rule.Note,
	Doc: "PZ is about the source of a captured page. A page that has it and no ID was captured once, and " +
		"is not part of the content database any more.",
	Repair:    "None: PZ still says at which magnification the page looks as it did.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckPage: checkPageZoomAlone,
}

func checkPageZoomAlone(p *rule.Pass, pg *rule.Page, doc *rule.Document) {
	if !pg.ID.Object.IsNull() || pg.PZ.IsNull() || doc.Members.Has(pg.Ref) {
		return
	}
	p.Reportf(pg.At(), nil, "the page has PZ, but no ID")
}
