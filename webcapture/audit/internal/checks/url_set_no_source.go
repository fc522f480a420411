package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlSetNoSource = &rule.Rule{
	ID:      "WC222",
	Title:   "Every content set in the value of a key of URLS has that URL.",
	Problem: "Keys of URLS lead to content sets of other URLs",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Warning,
	Doc: "An array value holds the content sets that come from one URL. One that comes from elsewhere is " +
		"in the wrong place.",
	Repair:     "It goes to the key that is its own.",
	Action:     rule.ChangeKey,
	MayFollow:  []rule.Action{rule.ChangeKey},
	CheckValue: checkURLSetNoSource,
}

func checkURLSetNoSource(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.URLS || !hasKnownSets(v) || acceptingSets(v) == 0 {
		return
	}
	for i, s := range v.Sets {
		if s.Recognized() && namesURLs(s) && !s.Accepts(v.Key) {
			p.Reportf(v.At(), sendHome(v, s), "key %v is not a URL of element %d of its value, content set%s, which %s",
				v.Key, i, refOf(s), comesFrom(v.Sets[i:i+1]))
		}
	}
}
