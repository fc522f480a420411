package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeNotArray = &rule.Rule{
	ID:        "WC127",
	Title:     "Kids and Names are arrays.",
	Problem:   "Kids or Names that are not arrays",
	Clause:    "ISO 32000-2:2020, 7.9.6, table 36",
	Level:     rule.Error,
	Doc:       "The contents of such a node cannot be read.",
	Repair:    "None: the contents of the node are unknown.",
	CheckTree: checkTreeNotArray,
}

func checkTreeNotArray(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KidsNotArray, nametree.NamesNotArray) {
		name := "Kids"
		if d.Kind == nametree.NamesNotArray {
			name = "Names"
		}
		if d.Err == nil {
			p.Reportf(t.AtNode(d.Node), nil, "%s is %v, not an array", name, Describe(p, d.Found))
		}
	}
}
