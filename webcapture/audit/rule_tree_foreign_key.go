package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var treeForeignKey = &Rule{
	ID:        "WC116",
	Title:     "A node has no entries but Kids, Names and Limits.",
	Problem:   "A node has entries that nodes do not have",
	Clause:    "ISO 32000-2:2020, 7.9.6, table 36",
	Level:     Note,
	Doc:       "Other entries have no meaning in a name tree. They are a trace of the tool that wrote them.",
	Repair:    "None: they are kept.",
	CheckTree: checkTreeForeignKey,
}

func checkTreeForeignKey(p *Pass, t *Tree) {
	for d := range p.defects(t, nametree.ForeignKey) {
		p.Reportf(t.AtNode(d.Node), nil, "entry %q is none that a node has", d.Name)
	}
}
