package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandLevel = &rule.Rule{
	ID:        "WC614",
	Title:     "L of a command is an integer.",
	Problem:   "L of commands is not a whole number",
	Clause:    "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:     rule.Error,
	Doc:       "L says how many levels of pages are retrieved. Without it there is one.",
	Repair:    "None.",
	CheckInfo: checkCommandLevel,
}

func checkCommandLevel(p *rule.Pass, in *rule.Info) {
	reportType(in, p, "L", func(c *webcapture.Command) object.Object { return c.L })
}
