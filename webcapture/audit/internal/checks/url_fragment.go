package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlFragment = &rule.Rule{
	ID:      "WC203",
	Title:   "URLS keys end before the first number sign.",
	Problem: "URLS keys with a fragment",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 b",
	Level:   rule.Error,
	Doc:     "A viewer removes the fragment before it looks up a URL, so it never finds this key.",
	Repair:  "Cut the key at the first number sign.",
	Evidence: rule.Evidence{
		Contradiction: "A key has a fragment; the standard allows none",
		Witness:       "The key itself: canonicalization turns it into the new key, never the reverse",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLFragment,
}

func checkURLFragment(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'b')
}
