package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlDots = &rule.Rule{
	ID:      "WC209",
	Title:   "Keys of URLS have no dot segments.",
	Problem: "Keys of URLS have dot segments",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 g",
	Level:   rule.Error,
	Doc:     `A viewer resolves "." and ".." in the path of a URL before it looks it up, so the key is never found.`,
	Repair:  "The dot segments are resolved.",
	Evidence: rule.Evidence{
		Contradiction: "Dot segments, and the standard",
		Witness:       "The key's own bytes: canonicalization leads from it to one form, and not back",
	},
	Action:   rule.ChangeKey,
	CheckURL: checkURLDots,
}

func checkURLDots(p *rule.Pass, e *rule.Entry) {
	reportStep(p, e, 'g')
}
