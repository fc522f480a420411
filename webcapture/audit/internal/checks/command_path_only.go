package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandPathOnly = &rule.Rule{
	ID:      "WC617",
	Title:   "A command that stays below its path also stays on its site.",
	Problem: "Commands with SamePath but without SameSite",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 394",
	Level:   rule.Note,
	Doc: "SamePath already requires the host of the URL, so SameSite must be meant too. But a reader that checks " +
		"only SameSite leaves the site.",
	Repair:    "None.",
	CheckInfo: checkCommandPathOnly,
}

func checkCommandPathOnly(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		if f := flagsOf(c); f&webcapture.SamePath != 0 && f&webcapture.SameSite == 0 {
			p.Reportf(in.AtCommand(c.Index), nil, "F is %d, with SamePath and without SameSite", f)
		}
	}
}
