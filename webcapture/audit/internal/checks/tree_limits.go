package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeLimits = &rule.Rule{
	ID:      "WC105",
	Title:   "Every node below the root has Limits, an array of two strings.",
	Problem: "Nodes without valid Limits",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "A viewer uses Limits to choose the kid to search. Some viewers stop the search at a node without " +
		"valid Limits, so they also miss entries of other nodes.",
	Repair: "Write the lowest and the highest key below the node as Limits.",
	Evidence: rule.Evidence{
		Contradiction: "Limits are missing or malformed",
		Witness:       "The keys: they are kept and determine Limits",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeLimits,
}

func checkTreeLimits(p *rule.Pass, t *rule.Tree) {
	empty := map[int]bool{}
	for d := range t.DefectsOf(nametree.NeitherKidsNorNames, nametree.EmptyLeaf, nametree.EmptyKids) {
		empty[d.Node] = true
	}
	for d := range p.Defects(t, nametree.LimitsMissing, nametree.LimitsMalformed) {
		if empty[d.Node] {
			continue // no Limits are correct for this node
		}
		if d.Kind == nametree.LimitsMissing {
			p.Reportf(t.AtNode(d.Node), rewriteTree, "Limits is missing%s", shouldBe(t, d.Node))
			continue
		}
		p.Reportf(t.AtNode(d.Node), rewriteTree, "Limits is not an array of two strings%s", shouldBe(t, d.Node))
	}
}
