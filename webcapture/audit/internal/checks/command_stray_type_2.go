package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandStrayType2 = &rule.Rule{
	ID:        "WC620",
	Title:     "From PDF 2.0 on, a command has CT only with P.",
	Problem:   "Commands with CT but without P in PDF 2.0",
	Clause:    "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:     rule.Error,
	Doc:       "CT is the type of the posted data, and PDF 2.0 forbids it without such data. P may have been lost.",
	Repair:    "None.",
	CheckInfo: checkCommandStrayType2,
}

func checkCommandStrayType2(p *rule.Pass, in *rule.Info) {
	if major, _ := PDFVersion(p); major < 2 {
		return
	}
	for c := range commandsOf(in, p) {
		if !c.CT.Object.IsNull() && c.P.IsNull() {
			p.Reportf(in.AtCommand(c.Index), nil, "the command has CT but no P")
		}
	}
}
