package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var VersionOld = &rule.Rule{
	ID:      "WC607",
	Title:   "A file with Web Capture has PDF version 1.3 or later.",
	Problem: "PDF version older than Web Capture",
	Clause:  "ISO 32000-2:2020, 14.10.1",
	Level:   rule.Warning,
	Doc: "Web Capture was introduced with PDF 1.3. A reader that checks the version does not look for it in an " +
		"older file.",
	Repair:    "None: the version is in the header of the file.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkVersionOld,
}

func checkVersionOld(p *rule.Pass, _ *rule.Info) {
	if major, minor := PDFVersion(p); p.DB.Present() && major == 1 && minor < 3 {
		p.Reportf(rule.Place{}, nil, "Web Capture in a file of PDF version %s, expected 1.3 or later", p.DB.Version)
	}
}
