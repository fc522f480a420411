package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var InfoVersionKnown = &rule.Rule{
	ID:      "WC603",
	Title:   "V of SpiderInfo is 1.0, or 1.25 as in the files of Acrobat.",
	Problem: "V of SpiderInfo is not a known version",
	Clause:  "ISO 32000-2:2020, 14.10.2, table 386",
	Level:   rule.Warning,
	Strict:  rule.Error,
	Doc: "The standard knows version 1.0 alone. Acrobat has written 1.25 in all its versions, so that is " +
		"taken as right too, unless the audit is strict. Under any other version the dictionaries may mean " +
		"something else.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkInfoVersionKnown,
}

func checkInfoVersionKnown(p *rule.Pass, in *rule.Info) {
	if in.Info == nil {
		return
	}
	const byAcrobat = 1.25
	v, ok := in.V.Number()
	switch strict := p.Rule.Level == p.Rule.Strict; {
	case !ok || v == 1:
	case strict:
		p.Reportf(in.At(), nil, "V is %s, should be 1.0", Describe(p, in.Dict.Lookup("V")))
	case v != byAcrobat:
		p.Reportf(in.At(), nil, "V is %s, should be 1.0, or 1.25 as Acrobat writes", Describe(p, in.Dict.Lookup("V")))
	}
}
