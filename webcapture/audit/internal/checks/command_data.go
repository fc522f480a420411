package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandData = &rule.Rule{
	ID:        "WC618",
	Title:     "P of a command is a string or a stream.",
	Problem:   "Commands whose P is neither a string nor a stream",
	Clause:    "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:     rule.Error,
	Doc:       "P is the data that the command posts to the URL. If P is present, the request is a POST.",
	Repair:    "None.",
	CheckInfo: checkCommandData,
}

func checkCommandData(p *rule.Pass, in *rule.Info) {
	reportType(in, p, "P", func(c *webcapture.Command) object.Object { return c.P })
}
