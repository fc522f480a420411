package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceExpiryOrder = &rule.Rule{
	ID:      "WC434",
	Title:   "E of a source is not earlier than its TS.",
	Problem: "Sources that expired before they were fetched",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391",
	Level:   rule.Warning,
	Doc: "E is the date when the content expires. TS is the last date when the content was known to be current, so " +
		"it had not expired then.",
	Repair:   "None.",
	CheckSet: checkSourceExpiryOrder,
}

func checkSourceExpiryOrder(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		if e, ts, ok := expiry(p, s, i); ok && e.Before(ts) {
			p.Reportf(s.At(), nil, "%vE is %s, before TS, %s", part{set: s, source: i}, e.Format(rule.DateLayout),
				ts.Format(rule.DateLayout))
		}
	}
}
