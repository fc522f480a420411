package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlHostCase = &rule.Rule{
	ID:      "WC205",
	Title:   "The host of a URLS key is in lower case.",
	Problem: "URLS keys with an upper-case host",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 d",
	Level:   rule.Error,
	Doc:     "A viewer lower-cases the host before it looks up a URL, so it never finds this key.",
	Repair:  "Lower-case the host.",
	Evidence: rule.Evidence{
		Contradiction: "A host has upper-case letters; the standard requires lower case",
		Witness:       "The key itself: canonicalization turns it into the new key, never the reverse",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLHostCase,
}

func checkURLHostCase(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'd')
}
