package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceCommand = &rule.Rule{
	ID:      "WC431",
	Title:   "C of a source information dictionary is one of the commands in SpiderInfo.",
	Problem: "Sources with a command that SpiderInfo does not list",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391; 14.10.2, table 386",
	Level:   rule.Warning,
	Doc: "C is the command that made the capture. SpiderInfo lists the commands in the order of their execution. A " +
		"refresh goes through that list and misses any other command.",
	Repair:   "None: the place of the command in the order is unknown.",
	CheckSet: checkSourceCommand,
}

func checkSourceCommand(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		stored := s.Sources[i].C
		ref, ok := stored.Ref()
		if !ok || s.Subtype == webcapture.ImageSet {
			continue // WC437 reports these
		}
		o, ok := p.ResolveIn(s, stored)
		in := part{set: s, source: i}
		switch {
		case !ok:
		case o.IsNull():
			p.Reportf(s.At(), nil, "%vC is %s, expected a command dictionary (table 391)", in, Describe(p, stored))
		case o.Kind() == object.Dictionary && listingOf(p, ref) == unlisted:
			p.Reportf(s.At(), nil, "%vC is %v, which is not in C of SpiderInfo (table 386)", in, ref)
		}
	}
}
