package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var engineName = &rule.Rule{
	ID:      "WC627",
	Title:   "Keys of C in command settings are names of engines: company:product:version:contentType.",
	Problem: "Command settings not named after an engine",
	Clause:  "ISO 32000-2:2020, 14.10.5.4, table 395",
	Level:   rule.Error,
	Doc: "An engine looks for its settings under its own name: four fields separated by colons, without blanks. " +
		"Only the product may be empty. The engine never finds settings under any other name.",
	Repair:    "None.",
	CheckInfo: checkEngineName,
}

func checkEngineName(p *rule.Pass, in *rule.Info) {
	for s := range settingsOf(in, p) {
		for name := range enginesIn(p, s) {
			if fault := engineFault(string(name)); fault != "" {
				p.Reportf(s.command.At(), nil, "S: C: the engine name %v %s, expected company:product:version:contentType",
					name, fault)
			}
		}
	}
}
