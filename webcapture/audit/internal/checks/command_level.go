package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandLevel = &rule.Rule{
	ID:        "WC614",
	Title:     "L of a command is an integer.",
	Problem:   "Commands whose L is not an integer",
	Clause:    "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:     rule.Error,
	Doc:       "L is the number of levels of pages to retrieve. Without L, the command retrieves one level.",
	Repair:    "None.",
	CheckInfo: checkCommandLevel,
}

func checkCommandLevel(p *rule.Pass, in *rule.Info) {
	reportType(in, p, "L", func(c *webcapture.Command) object.Object { return c.L })
}
