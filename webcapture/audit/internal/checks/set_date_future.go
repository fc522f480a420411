package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setDateFuture = &rule.Rule{
	ID:      "WC413",
	Title:   "TS of a content set is not in the future.",
	Problem: "Dates of content sets are in the future",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "TS is when the set was made, so it has passed. A day is allowed for, since old files do not " +
		"name the time zone.",
	Repair:   "None.",
	CheckSet: checkSetDateFuture,
}

func checkSetDateFuture(p *rule.Pass, s *rule.Set) {
	if t, ok := dateOf(p, s, s.TS); ok && IsFuture(p, t) {
		p.Reportf(s.At(), nil, "TS is %s, which has not come yet", t.Format(rule.DateLayout))
	}
}
