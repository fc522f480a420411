package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeBoth = &rule.Rule{
	ID:      "WC102",
	Title:   "A node has Kids or Names, not both.",
	Problem: "A node of a name tree has both Kids and Names",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "Viewers look at one of the two and do not see the entries below the other. Tools that " +
		"concatenate the trees of several files make such nodes.",
	Repair: "The entries of both are put into one sorted tree.",
	Evidence: rule.Evidence{
		Contradiction: "A node has Kids and Names, and viewers read one of them",
		Witness:       "None is needed: all entries stay",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeBoth,
}

func checkTreeBoth(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.BothKidsAndNames) {
		p.Reportf(t.AtNode(d.Node), rewriteTree, "both Kids and Names, where a node has one of them")
	}
}
