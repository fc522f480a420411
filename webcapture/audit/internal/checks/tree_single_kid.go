package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeSingleKid = &rule.Rule{
	ID:        "WC118",
	Title:     "An intermediate node has several kids.",
	Problem:   "Nodes with a single kid",
	Clause:    "ISO 32000-2:2020, 7.9.6",
	Level:     rule.Note,
	Doc:       "A node with one kid adds a step to every search and has no benefit.",
	Repair:    "None by itself: the level is removed when the tree is rewritten for another reason.",
	CheckTree: checkTreeSingleKid,
}

func checkTreeSingleKid(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.SingleKid) {
		p.Reportf(t.AtNode(d.Node), nil, "Kids has one element")
	}
}
