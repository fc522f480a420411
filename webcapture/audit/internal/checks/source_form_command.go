package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceFormCommand = &rule.Rule{
	ID:      "WC436",
	Title:   "S of a source agrees with its command.",
	Problem: "Sources that disagree with their command about a submitted form",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391, and 14.10.5.3, table 393",
	Level:   rule.Warning,
	Doc: "P of a command holds the data that it posts, and its flags say if it submits a form. A command that " +
		"follows links also retrieves pages that came from no form.",
	Repair:   "None.",
	CheckSet: checkSourceFormCommand,
}

func checkSourceFormCommand(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		c, ok := commandOf(p, s, i)
		if !ok || c.object.Kind() != object.Dictionary {
			continue
		}
		form, ok := formOf(p, s, i)
		if !ok {
			continue
		}
		if wrong := disagreement(p, s, form, c.dict); wrong != "" {
			p.Reportf(s.At(), nil, "%vS is %d, but the command in C %s", part{set: s, source: i}, form, wrong)
		}
	}
}
