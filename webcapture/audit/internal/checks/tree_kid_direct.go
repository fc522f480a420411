package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeKidDirect = &rule.Rule{
	ID:      "WC111",
	Title:   "Kids are references.",
	Problem: "Kids of a node are not references",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "The clause requires indirect references, and viewers that load one node at a time cannot read " +
		"another kind of kid.",
	Repair: "The node becomes an object of its own.",
	Evidence: rule.Evidence{
		Contradiction: "A node stands in Kids, and the standard demands a reference",
		Witness:       "None is needed: the node stays, as an object",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeKidDirect,
}

func checkTreeKidDirect(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KidNotIndirect) {
		p.Reportf(t.AtKid(d.Node, d.Index), rewriteTree, "the kid is a dictionary, not a reference to one")
	}
}
