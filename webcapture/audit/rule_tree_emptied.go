package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var treeEmptied = &Rule{
	ID:      "WC103",
	Title:   "A tree that is there has entries.",
	Problem: "A name tree is empty",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   Note,
	Doc: "A root without Kids and Names is not what the clause describes, but Acrobat leaves such trees " +
		"behind when it is used to make a PDF of a local document, or when the captured pages are gone. " +
		"It harms nobody.",
	Repair:    "On request the emptied tree is removed.",
	OnRequest: true,
	Action:    RemoveTree,
	MayFollow: []Action{RestoreKeys, RemoveEntry, RemoveSet},
	CheckTree: checkTreeEmptied,
}

func checkTreeEmptied(p *Pass, t *Tree) {
	if t.NodeCount() != 1 {
		return
	}
	for d := range t.Defects() {
		switch d.Kind {
		case nametree.NeitherKidsNorNames:
			p.Reportf(t.At(), &Fix{Action: RemoveTree}, "the tree is empty: its root has neither Kids nor Names")
			return
		case nametree.EmptyKids:
			p.Reportf(t.At(), &Fix{Action: RemoveTree}, "the tree is empty: Kids of its root has no elements")
			return
		case nametree.RootLimits, nametree.ForeignKey, nametree.KeyTwice:
		default: // there was something, and it is reported
			return
		}
	}
	if t.Len() == 0 {
		p.Reportf(t.At(), &Fix{Action: RemoveTree}, "the tree is empty: Names of its root has no elements")
	}
}
