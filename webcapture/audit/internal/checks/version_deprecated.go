package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var VersionDeprecated = &rule.Rule{
	ID:      "WC608",
	Title:   "A file of version 2.0 of PDF has no Web Capture.",
	Problem: "PDF 2.0 has dropped Web Capture",
	Clause:  "ISO 32000-2:2020, 14.10.1",
	Level:   rule.Note,
	Doc: "PDF 2.0 deprecates the feature as a whole. That forbids nothing, but fewer and fewer programs will " +
		"know what to do with it.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkVersionDeprecated,
}

func checkVersionDeprecated(p *rule.Pass, _ *rule.Info) {
	if major, _ := PDFVersion(p); p.DB.Present() && major >= 2 {
		p.Reportf(rule.Place{}, nil, "there is Web Capture in a file of version %s, where it is deprecated", p.DB.Version)
	}
}
