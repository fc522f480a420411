package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeRootLimits = &rule.Rule{
	ID:      "WC104",
	Title:   "The root has no Limits.",
	Problem: "The root of a name tree has Limits",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Warning,
	Doc: "Limits belong to intermediate and leaf nodes. Viewers pass over those of a root, but some " +
		"compare keys with them first, and then find nothing if they are out of date.",
	Repair: "Limits is removed from the root.",
	Evidence: rule.Evidence{
		Contradiction: "Limits of the root, and the standard, which gives it none",
		Witness:       "None is needed: nothing reads these Limits",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeRootLimits,
}

func checkTreeRootLimits(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.RootLimits) {
		p.Reportf(t.AtNode(d.Node), rewriteTree, "the root has Limits, which only nodes below it have")
	}
}
