package audit

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

var commandLevel = &Rule{
	ID:        "WC614",
	Title:     "L of a command is an integer.",
	Problem:   "L of commands is not a whole number",
	Clause:    "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:     Error,
	Doc:       "L says how many levels of pages are retrieved. Without it there is one.",
	Repair:    "None.",
	CheckInfo: checkCommandLevel,
}

func checkCommandLevel(p *Pass, in *Info) {
	in.reportType(p, "L", func(c *webcapture.Command) object.Object { return c.L })
}
