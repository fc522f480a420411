package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceCommand = &rule.Rule{
	ID:       "WC430",
	Title:    "C of a source information dictionary refers to a command dictionary.",
	Problem:  "Sources that refer to something other than a command",
	Clause:   "ISO 32000-2:2020, 14.10.5.1, table 391",
	Level:    rule.Error,
	Doc:      "C is the command that made the capture. A refresh executes it again.",
	Repair:   "None.",
	CheckSet: checkSourceCommand,
}

func checkSourceCommand(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		c, ok := commandOf(p, s, i)
		switch {
		case !ok:
		case c.object.IsNull() && c.ref.Num != 0:
			p.Reportf(s.At(), nil, "%vC is %s, expected a command dictionary", part{set: s, source: i}, Describe(p, object.MakeRef(c.ref)))
		case c.object.Kind() == object.Dictionary && !namesURL(p, s, c.dict) && listingOf(p, c.ref) == unlisted:
			p.Reportf(s.At(), nil, "%vC is a dictionary without URL, expected a command dictionary", part{set: s, source: i})
		}
	}
}
