package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceForm = &rule.Rule{
	ID:       "WC429",
	Title:    "S of a source information dictionary is 0, 1, or 2.",
	Problem:  "Sources with an unknown form method",
	Clause:   "ISO 32000-2:2020, 14.10.5.1, table 391",
	Level:    rule.Error,
	Doc:      "S says if the page came from a form, and by which method: 0 is none, 1 GET, 2 POST.",
	Repair:   "None.",
	CheckSet: checkSourceForm,
}

func checkSourceForm(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		if n, ok := formOf(p, s, i); ok && (n < 0 || n > 2) {
			p.Reportf(s.At(), nil, "%vS is %d, not 0, 1, or 2", part{set: s, source: i}, n)
		}
	}
}
