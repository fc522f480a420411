package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlLocalhost = &rule.Rule{
	ID:      "WC206",
	Title:   "A file URL in URLS does not name localhost.",
	Problem: "URLS keys with localhost in a file URL",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 e",
	Level:   rule.Error,
	Doc:     "A viewer removes localhost from a file URL before it looks up the URL, so it never finds this key.",
	Repair:  "Remove the host.",
	Evidence: rule.Evidence{
		Contradiction: "A file URL names localhost; the standard removes it",
		Witness:       "The key itself: canonicalization turns it into the new key, never the reverse",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLLocalhost,
}

func checkURLLocalhost(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'e')
}
