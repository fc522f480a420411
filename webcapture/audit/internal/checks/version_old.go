package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var VersionOld = &rule.Rule{
	ID:      "WC607",
	Title:   "The PDF version of a file has Web Capture, and does not deprecate it.",
	Problem: "Web Capture in a PDF version that lacks or deprecates it",
	Clause:  "ISO 32000-2:2020, 14.10.1",
	Level:   rule.Note,
	Doc: "Web Capture was introduced with PDF 1.3, and PDF 2.0 deprecates it. The standard forbids it in no file: " +
		"readers ignore entries that they do not know.",
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
