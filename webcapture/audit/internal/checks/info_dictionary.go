package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var infoDictionary = &rule.Rule{
	ID:      "WC601",
	Title:   "SpiderInfo is a dictionary.",
	Problem: "SpiderInfo that is not a dictionary",
	Clause:  "ISO 32000-2:2020, 7.7.2, table 29",
	Level:   rule.Error,
	Doc: "The Web Capture information dictionary holds the version of the feature and the commands that made the " +
		"file. A reader can use only a dictionary.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkInfoDictionary,
}

func checkInfoDictionary(p *rule.Pass, in *rule.Info) {
	if in.Stored.IsNull() || in.Unread || in.Resolved.Kind() == object.Dictionary {
		return
	}
	p.Reportf(in.At(), nil, "SpiderInfo is %s, not a dictionary", Describe(p, in.Stored))
}
