package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlLocalhost = &rule.Rule{
	ID:      "WC206",
	Title:   "A file URL among the keys of URLS does not name localhost.",
	Problem: "File URLs among the keys of URLS name localhost",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 e",
	Level:   rule.Error,
	Doc:     "A viewer drops localhost from a file URL before it looks it up, so the key is never found.",
	Repair:  "The host is dropped.",
	Evidence: rule.Evidence{
		Contradiction: "The host localhost, and the standard",
		Witness:       "The key's own bytes: canonicalization leads from it to one form, and not back",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLLocalhost,
}

func checkURLLocalhost(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'e')
}
