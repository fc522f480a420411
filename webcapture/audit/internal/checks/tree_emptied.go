package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeEmptied = &rule.Rule{
	ID:      "WC103",
	Title:   "A name tree has entries.",
	Problem: "Empty name trees",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Note,
	Doc: "The standard describes only roots with Kids or Names. Acrobat leaves empty trees when it converts a " +
		"local document, or when the captured pages are deleted. They do no harm.",
	Repair: "Remove the empty tree.",
	Basis: rule.Basis{
		Wrong:     "A name tree exists but has no entries",
		Right:     "The user, by naming the rule",
		Otherwise: "The tree is kept",
	},
	OnRequest: true,
	Action:    rule.RemoveTree,
	MayFollow: []rule.Action{rule.RestoreKeys, rule.RemoveEntry, rule.RemoveSet},
	CheckTree: checkTreeEmptied,
}

func checkTreeEmptied(p *rule.Pass, t *rule.Tree) {
	if t.NodeCount() != 1 {
		return
	}
	for d := range t.Defects() {
		switch d.Kind {
		case nametree.NeitherKidsNorNames:
			p.Reportf(t.At(), &rule.Fix{Action: rule.RemoveTree}, "the tree is empty: its root has neither Kids nor Names")
			return
		case nametree.EmptyKids:
			p.Reportf(t.At(), &rule.Fix{Action: rule.RemoveTree}, "the tree is empty: Kids of its root has no elements")
			return
		case nametree.RootLimits, nametree.ForeignKey, nametree.KeyTwice:
		default: // another rule reports the defect
			return
		}
	}
	if t.Len() == 0 {
		p.Reportf(t.At(), &rule.Fix{Action: rule.RemoveTree}, "the tree is empty: Names of its root has no elements")
	}
}
