package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeLimits = &rule.Rule{
	ID:      "WC106",
	Title:   "Every node below the root has Limits, the lowest and the highest key below the node.",
	Problem: "Nodes with missing or wrong Limits",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Warning,
	Doc: "A viewer uses Limits to choose the kid to search. Without valid Limits, some viewers stop the search and " +
		"miss entries of other nodes too. If Limits are too narrow, a viewer misses keys. If they are too wide, it " +
		"searches the wrong node. WC126 reports the keys that a search misses.",
	Repair: "Write the lowest and the highest key below the node as Limits.",
	Basis: rule.Basis{
		Wrong: "Limits are missing, malformed, or differ from the keys below the node",
		Right: "The keys: they are kept and determine Limits",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeLimits,
}

func checkTreeLimits(p *rule.Pass, t *rule.Tree) {
	empty := map[int]bool{} // no Limits are correct for these nodes
	for d := range t.DefectsOf(nametree.NeitherKidsNorNames, nametree.EmptyLeaf, nametree.EmptyKids) {
		empty[d.Node] = true
	}
	for d := range p.Defects(t, nametree.LimitsMissing, nametree.LimitsMalformed, nametree.LimitsWrong) {
		at := t.AtNode(d.Node)
		switch {
		case d.Kind == nametree.LimitsWrong:
			l := t.Node(d.Node).Limits
			p.Reportf(at, rewriteTree, "Limits is [%v %v]%s (table 36)", l.Least, l.Greatest, shouldBe(t, d.Node))
		case empty[d.Node]:
		case d.Kind == nametree.LimitsMissing:
			p.Reportf(at, rewriteTree, "Limits is missing%s (table 36)", shouldBe(t, d.Node))
		default:
			p.Reportf(at, rewriteTree, "Limits is not an array of two strings%s (table 36)", shouldBe(t, d.Node))
		}
	}
}
