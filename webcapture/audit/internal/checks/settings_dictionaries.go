package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var settingsDictionaries = &rule.Rule{
	ID:      "WC625",
	Title:   "S of a command, G and C in it, and the values in C are dictionaries.",
	Problem: "Command settings that are not dictionaries",
	Clause:  "ISO 32000-2:2020, 14.10.5.4, table 395",
	Level:   rule.Warning,
	Doc: "G holds the settings of a command for all engines, C those for each engine by name. A reader ignores " +
		"settings that are not a dictionary.",
	Repair:    "None.",
	CheckInfo: checkSettingsDictionaries,
}

func checkSettingsDictionaries(p *rule.Pass, in *rule.Info) {
	for s := range settingsOf(in, p) {
		at := in.AtCommand(s.command.Index)
		d, ok := s.dict()
		if !ok {
			p.Reportf(at, nil, "S is %s, not a dictionary", Describe(p, s.command.Dict.Lookup("S")))
			continue
		}
		for _, key := range [...]string{"G", "C"} {
			if isSettings(p, at, d.Lookup(key), "S: "+key) && key == "C" {
				for name, o := range enginesIn(p, at, d) {
					isSettings(p, at, o, "S: C: "+name.String())
				}
			}
		}
	}
}
