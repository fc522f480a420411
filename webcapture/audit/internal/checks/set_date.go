package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setDate = &rule.Rule{
	ID:      "WC412",
	Title:   "TS of a content set is a date.",
	Problem: "Content sets with an invalid date",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388; 7.9.4",
	Level:   rule.Error,
	Doc: "TS is the date when the set was made. A refresh compares it with other dates, which is impossible if the " +
		"date is invalid.",
	Repair:   "None.",
	CheckSet: checkSetDate,
}

func checkSetDate(p *rule.Pass, s *rule.Set) {
	reportNoDate(p, s, part{}, "TS", s.TS)
}
