package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeKid = &rule.Rule{
	ID:      "WC112",
	Title:   "Kids are nodes.",
	Problem: "Kids that are not nodes",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "A viewer stops searching at a kid that is not a dictionary. Such a kid is often a reference to an object " +
		"that a tool removed. The entries below it are lost.",
	Repair: "Remove the kid from Kids.",
	Basis: rule.Basis{
		Wrong: "An element of Kids does not lead to a node",
		Right: "Not needed: nothing is below the kid",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeKid,
}

func checkTreeKid(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KidNotDictionary) {
		p.Reportf(t.AtKid(d.Node, d.Index), rewriteTree, "the kid is %v, not a node", Describe(p, d.Found))
	}
}
