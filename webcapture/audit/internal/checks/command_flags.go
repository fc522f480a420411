package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandFlags = &rule.Rule{
	ID:      "WC616",
	Title:   "F of a command is an integer with no bits beyond the third.",
	Problem: "Commands with unknown flags",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 394",
	Level:   rule.Error,
	Doc: "Bit 1 keeps a command on the site of its URL, bit 2 below the path. Bit 3 makes it a form submission. " +
		"Other bits are not defined, so no reader knows their meaning.",
	Repair:    "None.",
	CheckInfo: checkCommandFlags,
}

func checkCommandFlags(p *rule.Pass, in *rule.Info) {
	reportType(in, p, "F", func(c *webcapture.Command) object.Object { return c.F })
	for c := range commandsOf(in, p) {
		if f, ok := c.Flags(); c.F.Kind() == object.Integer && (!ok || f&^knownFlags != 0) {
			p.Reportf(in.AtCommand(c.Index), nil, "F is %s, expected only bits 1 to 3", Describe(p, c.F))
		}
	}
}
