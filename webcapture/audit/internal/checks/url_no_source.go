package checks

import (
	"slices"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlNoSource = &rule.Rule{
	ID:      "WC221",
	Title:   "A URLS key is a URL of a content set in its value.",
	Problem: "URLS keys that are not the URL of their content set",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Error,
	Doc: "The key says where the content came from, and so does the source information of the set. If they differ, " +
		"one of them is wrong. A viewer then shows a page for a URL that it did not come from.",
	Repair: "Change the URL of the set to the key if the sources show that the key is right. They must have the " +
		"file of the set under the key, and another file under the URL of the set. Otherwise keep both.",
	Evidence: rule.Evidence{
		Contradiction: "A key differs from the URL of its content set",
		Witness: "Sources: they have the file of the set under the key, and another file under the URL of the " +
			"set. Then the URL changes. Otherwise the user decides, with --prefer",
		Undecided: "Both are kept",
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
