package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var pageZoomAlone = &rule.Rule{
	ID:      "WC525",
	Title:   "A page with PZ has an ID.",
	Problem: "Pages with PZ but without an ID",
	Clause:  "ISO 32000-2:2020, 7.7.3.3, table 31, and 14.10.6",
	Level:   rule.Note,
	Doc: "PZ describes the source of a captured page. A page with PZ and without an ID was captured once, but is " +
		"no longer part of the content database.",
	Repair:    "None: PZ still gives the magnification at which the page looks like its source.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckPage: checkPageZoomAlone,
}

func checkPageZoomAlone(p *rule.Pass, pg *rule.Page, doc *rule.Document) {
	if !pg.ID.Object.IsNull() || pg.PZ.IsNull() || doc.Members.Has(pg.Ref) {
		return
	}
	p.Reportf(pg.At(), nil, "the page has PZ, but no ID")
}
