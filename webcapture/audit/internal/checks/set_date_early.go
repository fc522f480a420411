package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setDateEarly = &rule.Rule{
	ID:      "WC414",
	Title:   "TS of a content set is not earlier than Web Capture.",
	Problem: "Content sets with a date before Web Capture existed",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Note,
	Doc: "The first program that made content sets, Acrobat 4, was released in 1999. An earlier date comes from a " +
		"wrong clock.",
	Repair:   "None.",
	CheckSet: checkSetDateEarly,
}

func checkSetDateEarly(p *rule.Pass, s *rule.Set) {
	if t, ok := dateOf(p, s, s.TS); ok && t.Year() < 1999 {
		p.Reportf(s.At(), nil, "TS is %s, but there were no content sets before 1999", t.Format(rule.DateLayout))
	}
}
