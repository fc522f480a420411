package checks

import (
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var privacyHeaders = &rule.Rule{
	ID:      "WC704",
	Title:   "H of a command has no cookies and no authorization.",
	Problem: "Commands with cookies or authorization",
	Clause:  "RFC 9110, 17",
	Level:   rule.Warning,
	Doc: "The headers that the browser sent are stored in plain text, and everyone who receives the PDF can read " +
		"them. With them, anyone may act as the user who captured the page.",
	Repair:    "None: the command could no longer be executed as it was.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckInfo: checkPrivacyHeaders,
}

func checkPrivacyHeaders(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		for n, line := range HeaderLines(c.H.Bytes) {
			if name, ok := line.name(); ok && privateHeaders[strings.ToLower(name)] {
				p.Reportf(in.AtCommand(c.Index), nil, "H: line %d is the header %s, which lets others act as the user", n, name)
			}
		}
	}
}
