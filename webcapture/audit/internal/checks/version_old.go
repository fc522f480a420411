package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var VersionOld = &rule.Rule{
	ID:      "WC607",
	Title:   "A file with Web Capture has a PDF version from 1.3 to 1.7.",
	Problem: "Web Capture in a PDF version without it",
	Clause:  "ISO 32000-2:2020, 14.10.1",
	Level:   rule.Note,
	Doc: "Web Capture was introduced with PDF 1.3. A reader that checks the version does not look for it in an " +
		"older file. PDF 2.0 deprecates the whole feature. This does not forbid it, but fewer and fewer programs will " +
		"support it.",
	Repair:    "None: the version is in the header of the file.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkVersionOld,
}

func checkVersionOld(p *rule.Pass, _ *rule.Info) {
	if !p.DB.Present() {
		return
	}
	switch major, minor := PDFVersion(p); {
	case major == 1 && minor < 3:
		p.Reportf(rule.Place{}, nil, "Web Capture in a file of PDF version %s, expected 1.3 or later (14.10.1)", p.DB.Version)
	case major >= 2:
		p.Reportf(rule.Place{}, nil, "Web Capture in a file of PDF version %s, which deprecates it (14.10.1)", p.DB.Version)
	}
}
