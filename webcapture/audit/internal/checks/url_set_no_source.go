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
	Repair: "Where sources have the file of the set for the key, and another one for its URL, the URL of the set " +
		"becomes the key. Else both stay.",
	Evidence: rule.Evidence{
		Contradiction: "A key of URLS, and the URL of one content set in its array",
		Witness:       "Sources have the file of the set for the key, and another one for its URL: then the URL changes; else --prefer",
		Undecided:     "Both stay",
	},
	Action:    rule.ChangeKey,
	SetAction: rule.ChangeSource,
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.OwnObject,
		rule.MergeEntries}, // after WC221, when one that fits comes to the value
	CheckValue: checkURLSetNoSource,
}

func checkURLSetNoSource(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.URLS || !hasKnownSets(v) || acceptingSets(v) == 0 {
		return
	}
	for i, s := range v.Sets {
		if s.Recognized() && namesURLs(s) && !s.Accepts(v.Key) {
			fix, why := fixURL(p, v, s)
			p.Reportf(v.At(), fix, "key %v is not a URL of element %d of its value, content set%s, which %s: %s",
				v.Key, i, refOf(s), comesFrom(v.Sets[i:i+1]), why)
		}
	}
}
