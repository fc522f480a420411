package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlDots = &rule.Rule{
	ID:      "WC209",
	Title:   "URLS keys have no dot segments.",
	Problem: "URLS keys with dot segments",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 g",
	Level:   rule.Error,
	Doc:     "A viewer resolves \".\" and \"..\" in a path before it looks up a URL. So it never finds this key.",
	Repair:  "Resolve the dot segments.",
	Evidence: rule.Evidence{
		Contradiction: "A key has dot segments; the standard resolves them",
		Witness:       "The key itself: canonicalization turns it into the new key, never the reverse",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLDots,
}

func checkURLDots(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'g')
}
