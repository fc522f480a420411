package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceDateOrder = &rule.Rule{
	ID:      "WC433",
	Title:   "TS of a source is not earlier than that of its content set.",
	Problem: "Sources are older than their content sets",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391; 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "TS of the set is when it was made from the source, TS of the source when that was last the " +
		"same; making it is the first such time.",
	Repair:   "None.",
	CheckSet: checkSourceDateOrder,
}

func checkSourceDateOrder(p *rule.Pass, s *rule.Set) {
	made, ok := dateOf(p, s, s.TS)
	if !ok || IsFuture(p, made) {
		return
	}
	for i := range s.Sources {
		if t, ok := dateOf(p, s, s.Sources[i].TS); ok && t.Before(made) {
			p.Reportf(s.At(), nil, "%vTS is %s, before the set was made, %s", part{set: s, source: i},
				t.Format(rule.DateLayout), made.Format(rule.DateLayout))
		}
	}
}
