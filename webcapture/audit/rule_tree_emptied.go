package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var treeEmptied = &Rule{
	ID:     "WC103",
	Title:  "A tree that is there has entries.",
	Clause: "ISO 32000-2:2020, 7.9.6",
	Level:  Note,
	Doc: "A root without Kids and Names is not what the clause describes, but Acrobat leaves such trees " +
		"behind when it is used to make a PDF of a local document, or when the captured pages are gone. " +
		"It harms nobody.",
	Repair:    "On request the emptied tree is removed.",
	CheckTree: checkTreeEmptied,
}

func checkTreeEmptied(p *Pass, t *Tree) {
	for _, d := range t.defects(nametree.NeitherKidsNorNames) {
		if t.Node(d.Node).Parent < 0 {
			p.Reportf(t.At(), nil, "the tree is empty: its root has neither Kids nor Names")
		}
	}
}
