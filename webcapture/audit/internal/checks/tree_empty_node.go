package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeEmptyNode = &rule.Rule{
	ID:      "WC117",
	Title:   "A node below the root leads to entries.",
	Problem: "Nodes that lead to no entry",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Note,
	Doc: "If Kids or Names is empty, there is no lowest and no highest key. So no Limits are correct for the " +
		"node.",
	Repair:    "None by itself: the node is removed when the tree is rewritten for another reason.",
	CheckTree: checkTreeEmptyNode,
}

func checkTreeEmptyNode(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.EmptyLeaf, nametree.EmptyKids) {
		if t.Node(d.Node).Parent < 0 {
			continue // an empty tree
		}
		name := "Names"
		if d.Kind == nametree.EmptyKids {
			name = "Kids"
		}
		p.Reportf(t.AtNode(d.Node), nil, "%s is empty", name)
	}
}
