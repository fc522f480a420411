package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var treeNoKidsNoNames = &Rule{
	ID:        "WC115",
	Title:     "A node below the root has Kids or Names.",
	Problem:   "A node has neither Kids nor Names",
	Clause:    "ISO 32000-2:2020, 7.9.6, table 36",
	Level:     Error,
	Doc:       "A node without either leads nowhere. If it once had entries, they are lost.",
	Repair:    "The node is removed.",
	Action:    RewriteTree,
	CheckTree: checkTreeNoKidsNoNames,
}

func checkTreeNoKidsNoNames(p *Pass, t *Tree) {
	for d := range p.defects(t, nametree.NeitherKidsNorNames) {
		if t.Node(d.Node).Parent >= 0 {
			p.Reportf(t.AtNode(d.Node), rewriteTree(), "neither Kids nor Names")
		}
	}
}
