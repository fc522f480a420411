package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setDate = &rule.Rule{
	ID:      "WC412",
	Title:   "TS of a content set is a date.",
	Problem: "Dates of content sets are not dates",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388; 7.9.4",
	Level:   rule.Error,
	Doc: "TS is when the set was made. A refresh compares it with other dates, and cannot with one " +
		"that it does not understand.",
	Repair:   "None.",
	CheckSet: checkSetDate,
}

func checkSetDate(p *rule.Pass, s *rule.Set) {
	reportNoDate(p, s, part{}, "TS", s.TS)
}
