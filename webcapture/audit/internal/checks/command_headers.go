package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandHeaders = &rule.Rule{
	ID:      "WC623",
	Title:   "Each line of H of a command is a name, a colon, and a value, ended by CR LF.",
	Problem: "Commands whose H is not made of header lines",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:   rule.Error,
	Doc: "H is copied into the request unchanged. A line without an end runs into the next line. An empty line " +
		"ends the headers, so the server reads the rest as data.",
	Repair:    "None.",
	CheckInfo: checkCommandHeaders,
}

func checkCommandHeaders(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		for n, line := range HeaderLines(c.H.Bytes) {
			if fault := HeaderFault(n, line); fault != "" {
				p.Reportf(in.AtCommand(c.Index), nil, "H: line %d %s", n, fault)
				break
			}
		}
	}
}
