package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandSite = &rule.Rule{
	ID:      "WC626",
	Title:   "A command with SameSite or SamePath retrieves only URLs of that site or path.",
	Problem: "Content from outside the site or path of its command",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 394",
	Level:   rule.Note,
	Doc: "SameSite keeps a command on the host of its URL, SamePath below the path up to the last slash. Content " +
		"from elsewhere was retrieved in another way, or the command changed later. It is enough if one of the " +
		"URLs that led to the set lies inside.",
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
			p.Reportf(s.At(), nil, "%v is outside the limit of its command %v: %v", nametree.Key(url), command, l)
		}
	}
}
