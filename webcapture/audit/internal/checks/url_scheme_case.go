package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlSchemeCase = &rule.Rule{
	ID:      "WC204",
	Title:   "The scheme of a URLS key is in lower case.",
	Problem: "URLS keys with an upper-case scheme",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 c",
	Level:   rule.Error,
	Doc:     "A viewer lower-cases the scheme before it looks up a URL, so it never finds this key.",
	Repair:  "Lower-case the scheme.",
	Evidence: rule.Evidence{
		Contradiction: "A scheme has upper-case letters; the standard requires lower case",
		Witness:       "The key itself: canonicalization turns it into the new key, never the reverse",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLSchemeCase,
}

func checkURLSchemeCase(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'c')
}
