package checks

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var privacyData = &rule.Rule{
	ID:      "WC705",
	Title:   "URL and P of a command have no credentials.",
	Problem: "Commands with passwords or tokens in their URL or data",
	Clause:  "RFC 3986, 7.5",
	Level:   rule.Warning,
	Doc: "A password is stored in plain text in the URL, or in the data of a form. webcap does not check the data " +
		"of a stream with filters.",
	Repair:    "None: the command could no longer be executed as it was.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckInfo: checkPrivacyData,
}

func checkPrivacyData(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		at := in.AtCommand(c.Index)
		if u := canon.Split(c.URL.Bytes); len(u.Userinfo) > 0 {
			p.Reportf(at, nil, "URL has userinfo before the host %v", nametree.Key(u.Host))
		} else if name := Credential(u.Query); name != "" {
			p.Reportf(at, nil, "URL has a parameter %s, which looks like a credential", name)
		}
		data, err := postedData(p, c)
		if err != nil {
			p.CouldNotRead(at, err)
		}
		if name := Credential(data); name != "" {
			p.Reportf(at, nil, "P has a field %s, which looks like a credential", name)
		}
	}
}
