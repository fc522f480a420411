package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeKidDirect = &rule.Rule{
	ID:      "WC111",
	Title:   "Kids are references.",
	Problem: "Kids that are not references",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Warning,
	Doc: "The standard requires indirect references. Viewers that load one node at a time cannot read any other " +
		"kid.",
	Repair: "Make the node an indirect object.",
	Basis: rule.Basis{
		Wrong: "A node is stored directly in Kids; the standard requires a reference",
		Right: "Not needed: the node is kept as an indirect object",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeKidDirect,
}

func checkTreeKidDirect(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KidNotIndirect) {
		p.Reportf(t.AtKid(d.Node, d.Index), rewriteTree, "the kid is a dictionary, not a reference to one")
	}
}
