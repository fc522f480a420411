package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandMediaType = &rule.Rule{
	ID:      "WC622",
	Title:   "CT of a command is a media type.",
	Problem: "Commands whose CT is not a media type",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 393; RFC 2045, 5.1",
	Level:   rule.Warning,
	Doc: "This string tells the server the type of the data. If it is not a media type, the server rejects the " +
		"request or misreads the data.",
	Repair:    "None.",
	CheckInfo: checkCommandMediaType,
}

func checkCommandMediaType(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		if !c.CT.OK() {
			continue
		}
		if fault := MediaFault(c.CT.Bytes); fault != "" {
			p.Reportf(in.AtCommand(c.Index), nil, "CT %v is not a media type: %s", nametree.Key(c.CT.Bytes), fault)
		}
	}
}
