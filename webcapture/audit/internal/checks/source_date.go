package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceDate = &rule.Rule{
	ID:      "WC432",
	Title:   "TS and E of a source information dictionary are dates.",
	Problem: "Sources with an invalid date",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391; 7.9.4",
	Level:   rule.Error,
	Doc: "TS is the last date when the source was known to be unchanged. E is the date when the content expires. A " +
		"refresh uses both to decide what to fetch again.",
	Repair:   "None.",
	CheckSet: checkSourceDate,
}

func checkSourceDate(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		si := &s.Sources[i]
		reportNoDate(p, s, part{set: s, source: i}, "TS", si.TS)
		reportNoDate(p, s, part{set: s, source: i}, "E", si.E)
	}
}
