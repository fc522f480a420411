package audit

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

var sourceCommand = &Rule{
	ID:       "WC430",
	Title:    "C of a source information dictionary refers to a command dictionary.",
	Problem:  "Sources refer to something that is not a command",
	Clause:   "ISO 32000-2:2020, 14.10.5.1, table 391",
	Level:    Error,
	Doc:      "C is the command that made the capture; a refresh executes it again.",
	Repair:   "None.",
	CheckSet: checkSourceCommand,
}

func checkSourceCommand(p *Pass, s *Set) {
	for i := range s.Sources {
		c, ok := p.commandOf(s, i)
		switch {
		case !ok:
		case c.object.IsNull() && c.ref.Num != 0:
			p.Reportf(s.At(), nil, "%vC is %s, should be a command dictionary", part{set: s, source: i}, describe(p, object.MakeRef(c.ref)))
		case c.object.Kind() == object.Dictionary && !p.namesURL(s, c.dict) && p.listed(c.ref) == unlisted:
			p.Reportf(s.At(), nil, "%vC is a dictionary without URL, should be a command dictionary", part{set: s, source: i})
		}
	}
}
