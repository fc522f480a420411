package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeKid = &rule.Rule{
	ID:      "WC112",
	Title:   "Kids are nodes.",
	Problem: "Kids of a node are not nodes",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "A kid that is not a dictionary, often a reference to an object that a tool dropped, ends the " +
		"search of a viewer; the entries that were below it are gone.",
	Repair: "The kid is removed from Kids.",
	Evidence: rule.Evidence{
		Contradiction: "An element of Kids, and what it leads to, which is not a node",
		Witness:       "None is needed: nothing is below it",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeKid,
}

func checkTreeKid(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KidNotDictionary) {
		p.Reportf(t.AtKid(d.Node, d.Index), rewriteTree, "the kid is %v, not a node", Describe(p, d.Found))
	}
}
