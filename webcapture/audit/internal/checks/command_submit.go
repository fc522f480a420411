package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandSubmit = &rule.Rule{
	ID:      "WC624",
	Title:   "A command that submits a form without P has a query in its URL.",
	Problem: "Commands that submit a form without data",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 394",
	Level:   rule.Note,
	Doc: "Without P, a form is submitted by GET, and its data is the query of the URL. Without either, the form is " +
		"sent empty.",
	Repair:    "None.",
	CheckInfo: checkCommandSubmit,
}

func checkCommandSubmit(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		f := flagsOf(c)
		if u, ok := absolute(c); ok && f&webcapture.Submit != 0 && c.P.IsNull() && !u.HasQuery {
			p.Reportf(in.AtCommand(c.Index), nil, "F is %d, with Submit, but the command has no P, and URL %v has no query", f,
				nametree.Key(c.URL.Bytes))
		}
	}
}
