package checks

import (
	"slices"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlNoSource = &rule.Rule{
	ID:      "WC221",
	Title:   "A key of URLS is a URL of a content set in its value.",
	Problem: "Keys of URLS are not a URL of the content set that they lead to",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Error,
	Doc: "The key says where the content came from, and so does the source information of the set. If " +
		"they differ, one of them is wrong, and a viewer shows a page for a URL that it is not from.",
	Repair: "Where sources have the file of the set for the key, and another one for its URL, the URL of the set " +
		"becomes the key. Else both stay.",
	Evidence: rule.Evidence{
		Contradiction: "A key of URLS, and the URL of its content set",
		Witness:       "Sources have the file of the set for the key, and another one for its URL: then the URL changes; else --prefer",
		Undecided:     "Both stay",
	},
	Action:     rule.ChangeKey,
	SetAction:  rule.ChangeSource,
	MayFollow:  []rule.Action{rule.ChangeKey},
	CheckValue: checkURLNoSource,
}

func checkURLNoSource(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.URLS || !v.URL.Absolute() || !hasKnownSets(v) || acceptingSets(v) > 0 {
		return
	}
	if !slices.ContainsFunc(v.Sets, func(s *rule.Set) bool { return namesURLs(s) }) {
		return
	}
	if transcodingOf(v) != nil {
		return
	}
	fix, why := fixURL(p, v, v.Sets[0])
	p.Reportf(v.At(), fix, "key %v is not a URL of its content set, which %s: %s", v.Key, comesFrom(v.Sets), why)
}
