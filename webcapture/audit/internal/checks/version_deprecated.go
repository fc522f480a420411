package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var VersionDeprecated = &rule.Rule{
	ID:      "WC608",
	Title:   "A file of PDF version 2.0 has no Web Capture.",
	Problem: "Web Capture in a PDF 2.0 file",
	Clause:  "ISO 32000-2:2020, 14.10.1",
	Level:   rule.Note,
	Doc: "PDF 2.0 deprecates the whole feature. This does not forbid it, but fewer and fewer programs will support " +
		"it.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkVersionDeprecated,
}

func checkVersionDeprecated(p *rule.Pass, _ *rule.Info) {
	if major, _ := PDFVersion(p); p.DB.Present() && major >= 2 {
		p.Reportf(rule.Place{}, nil, "Web Capture in a file of PDF version %s, which deprecates it", p.DB.Version)
	}
}
