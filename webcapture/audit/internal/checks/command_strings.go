package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandStrings = &rule.Rule{
	ID:        "WC621",
	Title:     "CT and H of a command are strings.",
	Problem:   "Commands whose CT or H is not a string",
	Clause:    "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:     rule.Error,
	Doc:       "CT is the type of the posted data. H holds further headers of the request.",
	Repair:    "None.",
	CheckInfo: checkCommandStrings,
}

func checkCommandStrings(p *rule.Pass, in *rule.Info) {
	reportType(in, p, "CT", func(c *webcapture.Command) object.Object { return c.CT.Object })
	reportType(in, p, "H", func(c *webcapture.Command) object.Object { return c.H.Object })
}
