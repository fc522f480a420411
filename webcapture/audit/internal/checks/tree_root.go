package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeRoot = &rule.Rule{
	ID:      "WC101",
	Title:   "The root of a name tree is a dictionary.",
	Problem: "Name trees whose root is not a dictionary",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "A viewer starts each search at the root. If the root is not a dictionary, the viewer finds nothing " +
		"in the tree.",
	Repair:    "None: the contents of the tree are unknown.",
	CheckTree: checkTreeRoot,
}

func checkTreeRoot(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.RootNotDictionary) {
		p.Reportf(t.At(), nil, "the root is %v, not a dictionary", Describe(p, d.Found))
	}
}
