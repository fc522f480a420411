package checks

import (
	"fmt"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var SettingsShared = &rule.Rule{
	ID:      "WC628",
	Title:   "What the settings of a command are made of is not referred to from elsewhere.",
	Problem: "Settings of commands are shared with other objects",
	Clause:  "ISO 32000-2:2020, 14.10.5.4",
	Level:   rule.Warning,
	Doc: "A program that copies a command copies all that its settings lead to, without knowing what it is. " +
		"An object below a settings dictionary that something else shares would come apart in the copy, or " +
		"the copy would take half the document with it. The whole file is looked through if settings refer " +
		"to other objects. Who refers to the dictionary as a whole, as several commands may, is not asked.",
	Repair:    "None.",
	CheckInfo: checkSettingsShared,
}

func checkSettingsShared(p *rule.Pass, in *rule.Info) {
	g := newSettingsGraph(p, in)
	if len(g.owner) > 0 {
		g.scan(in)
	}
	for i, s := range g.all {
		n := g.outside[i]
		if n == 0 {
			continue
		}
		more := ""
		if n > 1 {
			more = fmt.Sprintf("; there are %d such references", n)
		}
		p.Reportf(in.AtCommand(s.command.Index), nil, "S: %v belongs to the settings, but %v refers to it too%s",
			g.first[i].to, g.first[i].from, more)
	}
}
