package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceCommandUnlisted = &rule.Rule{
	ID:      "WC431",
	Title:   "C of a source information dictionary is one of the commands in SpiderInfo.",
	Problem: "Sources with a command that SpiderInfo does not list",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391; 14.10.2",
	Level:   rule.Warning,
	Doc: "SpiderInfo lists the commands that made the content, in the order of their execution. A refresh goes " +
		"through that list and misses any other command.",
	Repair:   "None: the place of the command in the order is unknown.",
	CheckSet: checkSourceCommandUnlisted,
}

func checkSourceCommandUnlisted(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		c, ok := commandOf(p, s, i)
		if ok && c.ref.Num != 0 && c.object.Kind() == object.Dictionary && listingOf(p, c.ref) == unlisted && namesURL(p, s, c.dict) {
			p.Reportf(s.At(), nil, "%vC is %v, which is not in C of SpiderInfo", part{set: s, source: i}, c.ref)
		}
	}
}
