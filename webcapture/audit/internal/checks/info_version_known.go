package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var infoVersionKnown = &rule.Rule{
	ID:      "WC603",
	Title:   "V of SpiderInfo is 1.0, or 1.25 as in the files of Acrobat.",
	Problem: "SpiderInfo with an unknown version",
	Clause:  "ISO 32000-2:2020, 14.10.2, table 386",
	Level:   rule.Warning,
	Doc: "The standard defines only version 1.0. All versions of Acrobat write 1.25, so webcap accepts it too. With " +
		"any other version, the dictionaries may have another meaning.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkInfoVersionKnown,
}

func checkInfoVersionKnown(p *rule.Pass, in *rule.Info) {
	if in.Info == nil {
		return
	}
	if v, ok := in.V.Number(); ok && v != 1 && v != 1.25 {
		p.Reportf(in.At(), nil, "V is %s, expected 1.0 or, as in Acrobat, 1.25", Describe(p, in.Dict.Lookup("V")))
	}
}
