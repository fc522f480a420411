package checks

import (
	"fmt"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var SettingsShared = &rule.Rule{
	ID:      "WC628",
	Title:   "Only the settings of a command refer to the objects below them.",
	Problem: "Command settings shared with other objects",
	Clause:  "ISO 32000-2:2020, 14.10.5.4",
	Level:   rule.Warning,
	Doc: "A program that copies a command also copies all objects below its settings, without knowing what they " +
		"are. If another object shares one of them, the copy separates the two, or includes half of the document. " +
		"If settings refer to other objects, webcap searches the whole file for references to these. Several " +
		"commands may share the settings dictionary as a whole.",
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
		p.Reportf(s.command.At(), nil, "S: %v belongs to the settings, but %v also refers to it%s",
			g.first[i].to, g.first[i].from, more)
	}
}
