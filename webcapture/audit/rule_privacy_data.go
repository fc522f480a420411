package audit

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
)

var privacyData = &Rule{
	ID:      "WC705",
	Title:   "URL and P of a command hold no credentials.",
	Problem: "URLs or data of commands hold passwords or tokens",
	Clause:  "RFC 3986, 7.5",
	Level:   Warning,
	Doc: "A password stands in the URL, or in the data of a form, in plain text. What a stream with filters " +
		"holds is not looked into.",
	Repair:    "None: the command could not be executed again as it was.",
	MayFollow: []Action{ChangeKey, AddKey, RestoreKeys, Rebuild},
	CheckInfo: checkPrivacyData,
}

func checkPrivacyData(p *Pass, in *Info) {
	for c := range in.each(p) {
		at := in.AtCommand(c.Index)
		if u := canon.Split(c.URL.Bytes); len(u.Userinfo) > 0 {
			p.Reportf(at, nil, "URL holds userinfo before its host %v", nametree.Key(u.Host))
		} else if name := credential(u.Query); name != "" {
			p.Reportf(at, nil, "URL has a parameter %s, which looks like a credential", name)
		}
		data, err := p.posted(c)
		if err != nil {
			p.couldNotRead(at, err)
		}
		if name := credential(data); name != "" {
			p.Reportf(at, nil, "P has a field %s, which looks like a credential", name)
		}
	}
}
