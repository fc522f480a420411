package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var treeNotArray = &Rule{
	ID:        "WC127",
	Title:     "Kids and Names are arrays.",
	Problem:   "Kids or Names is not an array",
	Clause:    "ISO 32000-2:2020, 7.9.6, table 36",
	Level:     Error,
	Doc:       "Whatever the node held cannot be read.",
	Repair:    "None: what it held is not known.",
	CheckTree: checkTreeNotArray,
}

func checkTreeNotArray(p *Pass, t *Tree) {
	for d := range p.defects(t, nametree.KidsNotArray, nametree.NamesNotArray) {
		name := "Kids"
		if d.Kind == nametree.NamesNotArray {
			name = "Names"
		}
		if d.Err == nil {
			p.Reportf(t.AtNode(d.Node), nil, "%s is %v, not an array", name, describe(p, d.Found))
		}
	}
}
