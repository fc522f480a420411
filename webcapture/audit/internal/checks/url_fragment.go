package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlFragment = &rule.Rule{
	ID:      "WC203",
	Title:   "Keys of URLS end before the first number sign.",
	Problem: "Keys of URLS have a fragment",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 b",
	Level:   rule.Error,
	Doc:     "A viewer cuts a URL there before it looks it up, so the key is never found.",
	Repair:  "The key is cut at the first number sign.",
	Evidence: rule.Evidence{
		Contradiction: "A key with a fragment, and the standard",
		Witness:       "The key's own bytes: canonicalization leads from it to one form, and not back",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLFragment,
}

func checkURLFragment(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'b')
}
