package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var pageZoom = &rule.Rule{
	ID:      "WC524",
	Title:   "PZ of a page is a number greater than 0.",
	Problem: "Pages whose PZ is not a number greater than 0",
	Clause:  "ISO 32000-2:2020, 7.7.3.3, table 31",
	Level:   rule.Error,
	Doc: "PZ is the magnification at which one unit of user space is one pixel of the source. No viewer can show a " +
		"page at 0 or less.",
	Repair:    "None: the magnification is unknown.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckPage: checkPageZoom,
}

func checkPageZoom(p *rule.Pass, pg *rule.Page, _ *rule.Document) {
	if pg.PZ.IsNull() {
		return
	}
	zoom, ok := p.Look(pg.At(), pg.PZ)
	if !ok {
		return
	}
	if n, ok := zoom.Number(); !ok || n <= 0 {
		p.Reportf(pg.At(), nil, "PZ is %s, not a number greater than 0", Describe(p, zoom))
	}
}
