package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeCycle = &rule.Rule{
	ID:      "WC113",
	Title:   "Every node has one parent.",
	Problem: "Nodes with several parents",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "A structure in which a node has two parents is not a tree. Readers loop, or count the entries of the " +
		"node twice.",
	Repair: "Rebuild the tree with each entry once.",
	Basis: rule.Basis{
		Wrong: "A node has two parents",
		Right: "Not needed: each entry is kept once",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeCycle,
}

func checkTreeCycle(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.NodeCycle, nametree.NodeShared) {
		what := "is already in the tree"
		if d.Kind == nametree.NodeCycle {
			what = "is the node itself or an ancestor"
		}
		p.Reportf(t.AtKid(d.Node, d.Index), rewriteTree, "the kid %v %s", t.Node(d.Other).Ref, what)
	}
}
