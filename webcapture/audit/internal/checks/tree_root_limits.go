package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeRootLimits = &rule.Rule{
	ID:      "WC104",
	Title:   "The root has no Limits.",
	Problem: "Name tree roots with Limits",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Warning,
	Doc: "Only intermediate and leaf nodes have Limits. Most viewers ignore Limits in a root, but some compare " +
		"keys with them. If these Limits are outdated, such a viewer finds nothing.",
	Repair: "Remove Limits from the root.",
	Basis: rule.Basis{
		Wrong: "The root has Limits; the standard allows none there",
		Right: "Not needed: lookups work without these Limits",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeRootLimits,
}

func checkTreeRootLimits(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.RootLimits) {
		p.Reportf(t.AtNode(d.Node), rewriteTree, "the root has Limits, which only other nodes may have")
	}
}
