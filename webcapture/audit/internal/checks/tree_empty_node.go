package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeEmptyNode = &rule.Rule{
	ID:      "WC115",
	Title:   "A node below the root has Kids or Names, with elements.",
	Problem: "Nodes that lead to no entry",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Warning,
	Doc: "Such a node leads to no entry. If it had entries, they are lost. It has no lowest and no highest key, so no " +
		"Limits are correct for it. WC126 reports the keys that a search misses.",
	Repair: "Remove the node.",
	Basis: rule.Basis{
		Wrong: "A node has neither Kids nor Names, or an empty array",
		Right: "Not needed: nothing is below the node",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeEmptyNode,
}

func checkTreeEmptyNode(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.NeitherKidsNorNames, nametree.EmptyKids, nametree.EmptyLeaf) {
		if t.Node(d.Node).Parent < 0 {
			continue // an empty tree
		}
		problem := "the node has neither Kids nor Names"
		switch d.Kind {
		case nametree.EmptyKids:
			problem = "Kids is empty"
		case nametree.EmptyLeaf:
			problem = "Names is empty"
		}
		p.Reportf(t.AtNode(d.Node), rewriteTree, "%s (table 36)", problem)
	}
}
