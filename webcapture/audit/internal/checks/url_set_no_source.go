package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlSetNoSource = &rule.Rule{
	ID:      "WC222",
	Title:   "Every content set in the value of a URLS key has that URL.",
	Problem: "URLS keys that lead to content sets of other URLs",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Warning,
	Doc: "An array value holds the content sets that come from one URL. A content set from another URL is in the " +
		"wrong place.",
	Repair: "Change the URL of the set to the key if the sources show that the key is right. They must have the " +
		"file of the set under the key, and another file under the URL of the set. Otherwise keep both.",
	Evidence: rule.Evidence{
		Contradiction: "A key differs from the URL of one content set in its array",
		Witness: "Sources: they have the file of the set under the key, and another file under the URL of the " +
			"set. Then the URL changes. Otherwise the user decides, with --prefer",
		Undecided: "Both are kept",
	},
	Action:    rule.ChangeKey,
	SetAction: rule.ChangeSource,
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.OwnObject,
		rule.MergeEntries}, // after WC221, if a matching content set joins the value
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
