package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeDuplicate = &rule.Rule{
	ID:      "WC110",
	Title:   "A key stands in a tree once.",
	Problem: "A key stands in a tree twice",
	Cause:   "as tools leave it that join the trees of two files",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "Which of the entries a viewer finds is undefined, and so the others are lost. Several content " +
		"sets under one key belong into an array value.",
	Repair: "The entries are merged into one, with an array value if their content sets differ.",
	Evidence: rule.Evidence{
		Contradiction: "Two entries with one key",
		Witness:       "None is needed: the entries become one, with the content sets of both",
	},
	Action:    rule.MergeEntries,
	CheckTree: checkTreeDuplicate,
}

func checkTreeDuplicate(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.DuplicateKey) {
		first := t.Entry(d.Other)
		p.Reportf(t.AtPair(d.Node, d.Index), &rule.Fix{Action: rule.MergeEntries, Old: t.Entry(d.Entry).Key},
			"key %v stands at %v already", t.Entry(d.Entry).Key, *t.AtPair(first.Node, first.Pair).Node)
	}
}
