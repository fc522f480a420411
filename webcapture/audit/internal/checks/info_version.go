package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var infoVersion = &rule.Rule{
	ID:      "WC602",
	Title:   "V of SpiderInfo is a number.",
	Problem: "V of SpiderInfo is not a number",
	Clause:  "ISO 32000-2:2020, 14.10.2, table 386",
	Level:   rule.Error,
	Doc: "V is the version of Web Capture by which the file was made. It is required, and it is one number: " +
		"1.2 is more than 1.15.",
	Repair:    "None: 1.0 would be right by the standard, but nobody knows by which version the rest was written.",
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
