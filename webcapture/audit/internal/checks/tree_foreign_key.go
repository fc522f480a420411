package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeForeignKey = &rule.Rule{
	ID:        "WC116",
	Title:     "A node has only the entries Kids, Names, and Limits.",
	Problem:   "Nodes with unknown entries",
	Clause:    "ISO 32000-2:2020, 7.9.6, table 36",
	Level:     rule.Note,
	Doc:       "Other entries have no meaning in a name tree. They are traces of the tool that wrote them.",
	Repair:    "None: the entries are kept.",
	CheckTree: checkTreeForeignKey,
}

func checkTreeForeignKey(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.ForeignKey) {
		p.Reportf(t.AtNode(d.Node), nil, "unknown entry %q", d.Name)
	}
}
