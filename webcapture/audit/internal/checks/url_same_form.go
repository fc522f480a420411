package checks

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlSameForm = &rule.Rule{
	ID:      "WC214",
	Title:   "No two URLS keys have the same canonical form.",
	Problem: "URLS keys that stand for the same URL",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Error,
	Doc: "A viewer looks for the canonical form and finds at most one of the entries. Content sets for " +
		"one URL belong under one key, in an array.",
	Repair: "Make the keys canonical and merge their entries.",
	Evidence: rule.Evidence{
		Contradiction: "Two keys stand for one URL",
		Witness: "The key itself: canonicalization turns it into the new key, never the reverse. The content sets of " +
			"both are kept",
	},
	Action:    rule.ChangeKey,
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckTree: checkURLSameForm,
}

func checkURLSameForm(p *rule.Pass, t *rule.Tree) {
	if t.Name != webcapture.URLS {
		return
	}
	seen := map[nametree.Key]int{}
	for i, e := range t.Entries() {
		if canon.PDF.Changes(rule.KeyBytes(e.Key)) == 0 {
			continue
		}
		form := nametree.Key(canon.PDF.Append(nil, rule.KeyBytes(e.Key)))
		other, dup := seen[form]
		if !dup {
			seen[form] = i
			other, dup = rule.FirstOf(t.All(form))
		}
		if dup {
			p.Reportf(t.AtPair(e.Node, e.Pair), &rule.Fix{Action: rule.ChangeKey, Old: e.Key, New: form},
				"keys %v and %v have the same canonical form", e.Key, t.Entry(other).Key)
		}
	}
}
