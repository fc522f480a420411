package audit

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

var commandSite = &Rule{
	ID:      "WC626",
	Title:   "What a command that stays on its site, or below its path, retrieved comes from there.",
	Problem: "Content comes from outside of what its command allowed",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 394",
	Level:   Note,
	Doc: "SameSite and SamePath of the command keep it to the host of its URL, or to the path up to the last " +
		"slash. A content set that names the command and comes from elsewhere was retrieved in another way, " +
		"or the command has changed since. It is enough if one of the URLs that led to the set lies inside.",
	Repair:   "None.",
	CheckSet: checkCommandSite,
}

func checkCommandSite(p *Pass, s *Set) {
	for i := range s.Sources {
		si := &s.Sources[i]
		command, isRef := si.C.Ref()
		if !isRef || s.Subtype == webcapture.ImageSet {
			continue
		}
		l, ok, err := p.limitOf(si.C)
		if err != nil {
			p.couldNotRead(s.At(), err)
		}
		if !p.Spend(urlCost) {
			return
		}
		if !ok {
			continue
		}
		if url, ok := p.outside(l, si); ok {
			p.Reportf(s.At(), nil, "%v lies outside what its command %v is kept to, %v", nametree.Key(url), command, l)
		}
	}
}
