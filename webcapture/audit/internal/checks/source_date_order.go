package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceDateOrder = &rule.Rule{
	ID:      "WC433",
	Title:   "TS of a source is not earlier than TS of its content set.",
	Problem: "Sources older than their content set",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391; 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "TS of the set is the date when it was made. TS of the source is the last date when it was unchanged. The " +
		"first such date is the date when the set was made.",
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
			p.Reportf(s.At(), nil, "%vTS is %s, before TS of the set, %s", part{set: s, source: i},
				t.Format(rule.DateLayout), made.Format(rule.DateLayout))
		}
	}
}
