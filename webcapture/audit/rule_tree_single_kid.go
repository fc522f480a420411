package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var treeSingleKid = &Rule{
	ID:        "WC118",
	Title:     "An intermediate node has several kids.",
	Problem:   "A node has a single kid",
	Clause:    "ISO 32000-2:2020, 7.9.6",
	Level:     Note,
	Doc:       "A node with one kid costs every search a step and gains nothing.",
	Repair:    "None by itself: the level goes when the tree is rewritten for another reason.",
	CheckTree: checkTreeSingleKid,
}

func checkTreeSingleKid(p *Pass, t *Tree) {
	for d := range p.defects(t, nametree.SingleKid) {
		p.Reportf(t.AtNode(d.Node), nil, "Kids has one element")
	}
}
