package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandURL = &rule.Rule{
	ID:      "WC611",
	Title:   "URL of a command is a string.",
	Problem: "Command URLs that are not strings",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:   rule.Error,
	Doc: "URL is the address where the command begins. It is required: without it there is nothing to " +
		"retrieve.",
	Repair:    "None.",
	CheckInfo: checkCommandURL,
}

func checkCommandURL(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		if !c.URL.OK() {
			p.Reportf(in.AtCommand(c.Index), nil, "URL is %s, not a string", Describe(p, c.Dict.Lookup("URL")))
		}
	}
}
