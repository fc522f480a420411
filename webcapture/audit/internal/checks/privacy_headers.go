package checks

import (
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var privacyHeaders = &rule.Rule{
	ID:      "WC704",
	Title:   "H of a command holds no cookies and no authorization.",
	Problem: "Commands hold cookies or authorization",
	Clause:  "RFC 9110, 17",
	Level:   rule.Warning,
	Doc: "The headers that the browser sent are kept in plain text, and go wherever the PDF goes. With them " +
		"anybody may act as the user who captured the page.",
	Repair:    "None: the command could not be executed again as it was.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckInfo: checkPrivacyHeaders,
}

func checkPrivacyHeaders(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		for n, line := range HeaderLines(c.H.Bytes) {
			if name, ok := line.name(); ok && privateHeaders[strings.ToLower(name)] {
				p.Reportf(in.AtCommand(c.Index), nil, "H: line %d is the header %s, with which others may act as the user", n, name)
			}
		}
	}
}
