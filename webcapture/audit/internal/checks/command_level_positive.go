package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandLevelPositive = &rule.Rule{
	ID:        "WC615",
	Title:     "L of a command is at least 1.",
	Problem:   "Commands whose L is less than 1",
	Clause:    "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:     rule.Warning,
	Doc:       "Level 1 is the page that the URL leads to. With a lower number, the command retrieves nothing.",
	Repair:    "None.",
	CheckInfo: checkCommandLevelPositive,
}

func checkCommandLevelPositive(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		if n, ok := c.L.Number(); ok && c.L.Kind() == object.Integer && n < 1 {
			p.Reportf(in.AtCommand(c.Index), nil, "L is %s, expected 1 or more", Describe(p, c.L))
		}
	}
}
