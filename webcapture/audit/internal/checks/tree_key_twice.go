package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeKeyTwice = &rule.Rule{
	ID:        "WC128",
	Title:     "The dictionary of a node has each entry once.",
	Problem:   "Node dictionaries with a duplicate entry",
	Clause:    "ISO 32000-2:2020, 7.3.7",
	Level:     rule.Error,
	Doc:       "The standard does not define which of the two entries counts. webcap uses the last one.",
	Repair:    "None: the intended entry is unknown.",
	CheckTree: checkTreeKeyTwice,
}

func checkTreeKeyTwice(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KeyTwice) {
		p.Reportf(t.AtNode(d.Node), nil, "the dictionary has the entry %s twice", d.Name)
	}
}
