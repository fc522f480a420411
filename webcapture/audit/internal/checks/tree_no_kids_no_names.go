package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeNoKidsNoNames = &rule.Rule{
	ID:      "WC115",
	Title:   "A node below the root has Kids or Names.",
	Problem: "A node has neither Kids nor Names",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc:     "A node without either leads nowhere. If it once had entries, they are lost.",
	Repair:  "The node is removed.",
	Evidence: rule.Evidence{
		Contradiction: "A node without Kids and Names",
		Witness:       "None is needed: nothing is below it",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeNoKidsNoNames,
}

func checkTreeNoKidsNoNames(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.NeitherKidsNorNames) {
		if t.Node(d.Node).Parent >= 0 {
			p.Reportf(t.AtNode(d.Node), rewriteTree, "neither Kids nor Names")
		}
	}
}
