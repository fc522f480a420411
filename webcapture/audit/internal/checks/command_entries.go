package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandEntries = &rule.Rule{
	ID:      "WC611",
	Title:   "Entries of commands and of their settings are present, and have the right type and value.",
	Problem: "Commands with missing or invalid entries",
	Clause:  "ISO 32000-2:2020, 14.10.5.3 and 14.10.5.4, tables 393 to 395; RFC 2045, 5.1",
	Level:   rule.Warning,
	Doc: "A reader cannot execute a command without a URL, and ignores entries of the wrong type. URL is ASCII. L is an " +
		"integer. F has bits 1 to 3 only. P is the data that the command posts, and CT " +
		"their media type, so CT needs P. The server receives H unchanged: each line is a name, a colon, and a value, " +
		"ended by CR LF. In S, G holds the settings for all engines, and C those for each engine by name.",
	Repair:    "None.",
	CheckInfo: checkCommandEntries,
}

func checkCommandEntries(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		for i := range webcapture.CommandTable {
			f := &webcapture.CommandTable[i]
			if fault := fieldFault(p, c, f, c.Dict.Lookup(f.Key)); fault != "" {
				p.Reportf(c.At(), nil, "%s", fault)
			}
		}
		if i := rule.NotASCII(c.URL.Bytes); c.URL.OK() && i >= 0 {
			p.Reportf(c.At(), nil, "URL %v is not ASCII: %s (table 393)", nametree.Key(c.URL.Bytes),
				rule.ByteAt(c.URL.Bytes, i))
		}
		if !c.CT.Object.IsNull() && c.P.IsNull() {
			p.Reportf(c.At(), nil, "CT needs P, which is missing (table 393)")
		}
	}
	for s := range settingsOf(in, p) {
		checkSettings(p, s)
	}
}

func checkSettings(p *rule.Pass, s settings) {
	d, ok := s.dict()
	if !ok {
		return
	}
	for i := range webcapture.SettingsTable {
		f := &webcapture.SettingsTable[i]
		if fault := fieldFault(p, s.command, f, d.Lookup(f.Key)); fault != "" {
			p.Reportf(s.command.At(), nil, "S: %s", fault)
		}
	}
	for name, o := range enginesIn(p, s) {
		f := webcapture.Field{Key: rule.Short(name), Table: 395, Types: webcapture.DictionaryObject}
		if fault := fieldFault(p, s.command, &f, o); fault != "" {
			p.Reportf(s.command.At(), nil, "S: C: %s", fault)
		}
	}
}
