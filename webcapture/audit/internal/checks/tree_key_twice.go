package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeKeyTwice = &rule.Rule{
	ID:        "WC128",
	Title:     "The dictionary of a node has each entry once.",
	Problem:   "The dictionary of a node has an entry twice",
	Clause:    "ISO 32000-2:2020, 7.3.7",
	Level:     rule.Error,
	Doc:       "Which of the two a reader takes is not defined. Here the last one counts.",
	Repair:    "None: which of the two is meant is not known.",
	CheckTree: checkTreeKeyTwice,
}

func checkTreeKeyTwice(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KeyTwice) {
		p.Reportf(t.AtNode(d.Node), nil, "entry %s stands twice in the dictionary", d.Name)
	}
}
