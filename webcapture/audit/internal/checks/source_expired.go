package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceExpired = &rule.Rule{
	ID:      "WC435",
	Title:   "The content has not expired.",
	Problem: "Expired content",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391",
	Level:   rule.Note,
	Doc: "After E, the content counts as out of date. This is not a defect of the file; it says that a refresh is " +
		"due.",
	Repair:   "None.",
	CheckSet: checkSourceExpired,
}

func checkSourceExpired(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		if e, ts, ok := expiry(p, s, i); ok && !e.Before(ts) && e.Before(p.Audit.Now) {
			p.Reportf(s.At(), nil, "%vexpired at %s", part{set: s, source: i}, e.Format(rule.DateLayout))
		}
	}
}
