package checks

import (
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var privacyCommands = &rule.Rule{
	ID:      "WC704",
	Title:   "Commands have no credentials.",
	Problem: "Commands with cookies, authorization, passwords, or tokens",
	Clause:  "RFC 9110, 17; RFC 3986, 7.5",
	Level:   rule.Warning,
	Doc: "A command stores the headers that the browser sent, its URL, and the data of a form in plain text. Everyone " +
		"who receives the PDF can read them. With cookies, authorization, or a password, anyone may act as the user " +
		"who captured the page. webcap does not check the data of a stream with filters.",
	Repair:    "None: the command could no longer be executed as it was.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckInfo: checkPrivacyCommands,
}

func checkPrivacyCommands(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		for n, line := range HeaderLines(c.H.Bytes) {
			if name, ok := line.name(); ok && privateHeaders[strings.ToLower(name)] {
				p.Reportf(c.At(), nil, "H: line %d is the header %s, which lets others act as the user", n, name)
			}
		}
		if u := canon.Split(c.URL.Bytes); len(u.Userinfo) > 0 {
			p.Reportf(c.At(), nil, "URL has userinfo before the host %v", nametree.Key(u.Host))
		} else if name := Credential(u.Query); name != "" {
			p.Reportf(c.At(), nil, "URL has a parameter %s, which looks like a credential", name)
		}
		data, err := postedData(p, c)
		if err != nil {
			p.CouldNotRead(c.At(), err)
		}
		if name := Credential(data); name != "" {
			p.Reportf(c.At(), nil, "P has a field %s, which looks like a credential", name)
		}
	}
}
