package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlHostCase = &rule.Rule{
	ID:      "WC205",
	Title:   "The host of a key of URLS is in lower case.",
	Problem: "The host of keys of URLS has capital letters",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 d",
	Level:   rule.Error,
	Doc:     "A viewer lower-cases the host of a URL before it looks it up, so the key is never found.",
	Repair:  "The host is lower-cased.",
	Evidence: rule.Evidence{
		Contradiction: "The case of a host, and the standard",
		Witness:       "The key's own bytes: canonicalization leads from it to one form, and not back",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLHostCase,
}

func checkURLHostCase(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'd')
}
