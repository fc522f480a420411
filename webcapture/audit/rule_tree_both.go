package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var treeBoth = &Rule{
	ID:      "WC102",
	Title:   "A node has Kids or Names, not both.",
	Problem: "A node of a name tree has both Kids and Names",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   Error,
	Doc: "Viewers look at one of the two and do not see the entries below the other. Tools that " +
		"concatenate the trees of several files make such nodes.",
	Repair:    "The entries of both are put into one sorted tree.",
	Action:    RewriteTree,
	CheckTree: checkTreeBoth,
}

func checkTreeBoth(p *Pass, t *Tree) {
	for d := range p.defects(t, nametree.BothKidsAndNames) {
		p.Reportf(t.AtNode(d.Node), rewriteTree(), "both Kids and Names, where a node has one of them")
	}
}
