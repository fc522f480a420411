package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandStrayType = &rule.Rule{
	ID:        "WC619",
	Title:     "Before PDF 2.0, a command has CT only with P.",
	Problem:   "Commands with CT but without P",
	Clause:    "ISO 32000-1:2008, 14.10.5.3, table 357",
	Level:     rule.Warning,
	Doc:       "CT is the type of the posted data. Without such data it has no meaning; P may have been lost.",
	Repair:    "None.",
	CheckInfo: checkCommandStrayType,
}

func checkCommandStrayType(p *rule.Pass, in *rule.Info) {
	if major, _ := PDFVersion(p); major >= 2 {
		return
	}
	for c := range commandsOf(in, p) {
		if !c.CT.Object.IsNull() && c.P.IsNull() {
			p.Reportf(in.AtCommand(c.Index), nil, "the command has CT but no P")
		}
	}
}
