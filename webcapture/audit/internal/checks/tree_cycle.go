package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeCycle = &rule.Rule{
	ID:      "WC113",
	Title:   "Every node has one parent.",
	Problem: "A node has several parents",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc:     "A node that is reached twice does not make a tree. Readers loop, or count its entries twice.",
	Repair:  "The tree is built anew, every entry once.",
	Evidence: rule.Evidence{
		Contradiction: "A node has two parents",
		Witness:       "None is needed: each entry stays, once",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeCycle,
}

func checkTreeCycle(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.NodeCycle, nametree.NodeShared) {
		what := "was reached before"
		if d.Kind == nametree.NodeCycle {
			what = "is the node itself, or one above it"
		}
		p.Reportf(t.AtKid(d.Node, d.Index), rewriteTree, "the kid %v %s", t.Node(d.Other).Ref, what)
	}
}
