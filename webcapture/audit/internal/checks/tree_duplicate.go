package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeDuplicate = &rule.Rule{
	ID:      "WC110",
	Title:   "A key occurs only once in a tree.",
	Problem: "Duplicate keys in a tree",
	Cause:   "typical of tools that join the trees of two files",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "The standard does not define which of the entries a viewer finds, so the others are lost. Several " +
		"content sets with one key belong in an array value.",
	Repair: "Merge the entries. If their content sets differ, use an array value.",
	Basis: rule.Basis{
		Wrong: "Two entries have the same key",
		Right: "Not needed: the merged entry has the content sets of both",
	},
	Action:    rule.MergeEntries,
	CheckTree: checkTreeDuplicate,
}

func checkTreeDuplicate(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.DuplicateKey) {
		first := t.Entry(d.Other)
		p.Reportf(t.AtPair(d.Node, d.Index), &rule.Fix{Action: rule.MergeEntries, Old: t.Entry(d.Entry).Key},
			"key %v is already at %v", t.Entry(d.Entry).Key, *t.AtPair(first.Node, first.Pair).Node)
	}
}
