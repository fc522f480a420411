package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeRoot = &rule.Rule{
	ID:      "WC101",
	Title:   "The root of a name tree is a dictionary, and Kids and Names of a node are arrays.",
	Problem: "Parts of a name tree that cannot be read",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "A viewer starts each search at the root. If the root is not a dictionary, the viewer finds nothing " +
		"in the tree. If Kids or Names is not an array, it finds nothing in the node.",
	Repair:    "None: the contents of the tree or node are unknown.",
	CheckTree: checkTreeRoot,
}

func checkTreeRoot(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.RootNotDictionary, nametree.KidsNotArray, nametree.NamesNotArray) {
		switch {
		case d.Err != nil: // the audit reports it as unread
		case d.Kind == nametree.RootNotDictionary:
			p.Reportf(t.At(), nil, "the root is %v, not a dictionary (7.9.6)", Describe(p, d.Found))
		case d.Kind == nametree.KidsNotArray:
			p.Reportf(t.AtNode(d.Node), nil, "Kids is %v, not an array (table 36)", Describe(p, d.Found))
		default:
			p.Reportf(t.AtNode(d.Node), nil, "Names is %v, not an array (table 36)", Describe(p, d.Found))
		}
	}
}
