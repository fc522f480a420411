package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeBoth = &rule.Rule{
	ID:      "WC102",
	Title:   "A node has either Kids or Names, not both.",
	Problem: "Nodes with both Kids and Names",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "Viewers read only one of the two and miss the entries of the other. Tools that concatenate the trees of " +
		"several files create such nodes.",
	Repair: "Merge the entries of both into one sorted tree.",
	Basis: rule.Basis{
		Wrong: "A node has Kids and Names; viewers read only one of them",
		Right: "Not needed: all entries are kept",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeBoth,
}

func checkTreeBoth(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.BothKidsAndNames) {
		p.Reportf(t.AtNode(d.Node), rewriteTree, "the node has both Kids and Names")
	}
}
