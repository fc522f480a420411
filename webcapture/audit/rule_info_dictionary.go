package audit

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

var infoDictionary = &Rule{
	ID:      "WC601",
	Title:   "SpiderInfo is a dictionary.",
	Problem: "SpiderInfo is not a dictionary",
	Clause:  "ISO 32000-2:2020, 7.7.2, table 29",
	Level:   Error,
	Doc: "The Web Capture information dictionary holds the version of the feature and the commands that made " +
		"the file. A reader can use nothing else.",
	Repair:    "None.",
	MayFollow: []Action{Rebuild},
	CheckInfo: checkInfoDictionary,
}

func checkInfoDictionary(p *Pass, in *Info) {
	if in.Stored.IsNull() || in.Unread || in.Resolved.Kind() == object.Dictionary {
		return
	}
	p.Reportf(in.At(), nil, "SpiderInfo is %s, not a dictionary", describe(p, in.Stored))
}
