package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setDateFuture = &rule.Rule{
	ID:      "WC413",
	Title:   "TS of a content set is not in the future.",
	Problem: "Content sets with a date in the future",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "TS is the date when the set was made, so it is in the past. webcap allows one more day, because old " +
		"files do not name the time zone.",
	Repair:   "None.",
	CheckSet: checkSetDateFuture,
}

func checkSetDateFuture(p *rule.Pass, s *rule.Set) {
	if t, ok := dateOf(p, s, s.TS); ok && IsFuture(p, t) {
		p.Reportf(s.At(), nil, "TS is %s, which is in the future", t.Format(rule.DateLayout))
	}
}
