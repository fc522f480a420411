package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var infoVersion = &rule.Rule{
	ID:      "WC602",
	Title:   "V of SpiderInfo is a number.",
	Problem: "SpiderInfo whose V is not a number",
	Clause:  "ISO 32000-2:2020, 14.10.2, table 386",
	Level:   rule.Error,
	Doc: "V is the version of Web Capture that made the file. It is required, and it is a decimal number: 1.2 is " +
		"more than 1.15.",
	Repair:    "None: the standard defines 1.0, but the version that wrote the rest is unknown.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkInfoVersion,
}

func checkInfoVersion(p *rule.Pass, in *rule.Info) {
	if in.Info == nil {
		return
	}
	if _, ok := in.V.Number(); !ok {
		p.Reportf(in.At(), nil, "V is %s, not a number", Describe(p, in.Dict.Lookup("V")))
	}
}
