package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlSchemeCase = &rule.Rule{
	ID:      "WC204",
	Title:   "The scheme of a key of URLS is in lower case.",
	Problem: "The scheme of keys of URLS has capital letters",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 c",
	Level:   rule.Error,
	Doc:     "A viewer lower-cases the scheme of a URL before it looks it up, so the key is never found.",
	Repair:  "The scheme is lower-cased.",
	Evidence: rule.Evidence{
		Contradiction: "The case of a scheme, and the standard",
		Witness:       "The key's own bytes: canonicalization leads from it to one form, and not back",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLSchemeCase,
}

func checkURLSchemeCase(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'c')
}
