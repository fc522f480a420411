package audit

import (
	"strings"
)

var privacyHeaders = &Rule{
	ID:      "WC704",
	Title:   "H of a command holds no cookies and no authorization.",
	Problem: "Commands hold cookies or authorization",
	Clause:  "RFC 9110, 17",
	Level:   Warning,
	Doc: "The headers that the browser sent are kept in plain text, and go wherever the PDF goes. With them " +
		"anybody may act as the user who captured the page.",
	Repair:    "None: the command could not be executed again as it was.",
	MayFollow: []Action{ChangeKey, AddKey, RestoreKeys, Rebuild},
	CheckInfo: checkPrivacyHeaders,
}

func checkPrivacyHeaders(p *Pass, in *Info) {
	for c := range in.each(p) {
		for n, line := range headerLines(c.H.Bytes) {
			if name, ok := line.name(); ok && privateHeaders[strings.ToLower(name)] {
				p.Reportf(in.AtCommand(c.Index), nil, "H: line %d is the header %s, with which others may act as the user", n, name)
			}
		}
	}
}
