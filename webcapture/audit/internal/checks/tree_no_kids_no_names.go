package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeNoKidsNoNames = &rule.Rule{
	ID:      "WC115",
	Title:   "A node below the root has Kids or Names.",
	Problem: "Nodes with neither Kids nor Names",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc:     "Such a node leads to no entry. If it had entries, they are lost.",
	Repair:  "Remove the node.",
	Evidence: rule.Evidence{
		Contradiction: "A node has neither Kids nor Names",
		Witness:       "Not needed: nothing is below the node",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeNoKidsNoNames,
}

func checkTreeNoKidsNoNames(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.NeitherKidsNorNames) {
		if t.Node(d.Node).Parent >= 0 {
			p.Reportf(t.AtNode(d.Node), rewriteTree, "the node has neither Kids nor Names")
		}
	}
}
