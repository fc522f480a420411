package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandSite = &rule.Rule{
	ID:      "WC626",
	Title:   "What a command that stays on its site, or below its path, retrieved comes from there.",
	Problem: "Content comes from outside of what its command allowed",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 394",
	Level:   rule.Note,
	Doc: "SameSite and SamePath of the command keep it to the host of its URL, or to the path up to the last " +
		"slash. A content set that names the command and comes from elsewhere was retrieved in another way, " +
		"or the command has changed since. It is enough if one of the URLs that led to the set lies inside.",
	Repair:   "None.",
	CheckSet: checkCommandSite,
}

func checkCommandSite(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		si := &s.Sources[i]
		command, isRef := si.C.Ref()
		if !isRef || s.Subtype == webcapture.ImageSet {
			continue
		}
		l, ok, err := limitOf(p, si.C)
		if err != nil {
			p.CouldNotRead(s.At(), err)
		}
		if !p.Spend(rule.URLCost) {
			return
		}
		if !ok {
			continue
		}
		if url, ok := outsideOf(p, l, si); ok {
			p.Reportf(s.At(), nil, "%v lies outside what its command %v is kept to, %v", nametree.Key(url), command, l)
		}
	}
}
