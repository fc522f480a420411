package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var treeSize = &Rule{
	ID:      "WC114",
	Title:   "A tree keeps within what can be read.",
	Problem: "A tree is too deep or too large to be read whole",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   Error,
	Doc: "Trees that are deeper or larger than any writer makes them are read up to a limit, so that a " +
		"hostile file cannot stop an audit. What lies beyond it was not checked.",
	Repair:    "None.",
	CheckTree: checkTreeSize,
}

func checkTreeSize(p *Pass, t *Tree) {
	for d := range p.defects(t, nametree.TooDeep, nametree.TooManyNodes, nametree.TooManyEntries, nametree.TooLarge, nametree.TooManyDefects) {
		if d.Kind == nametree.TooManyDefects {
			p.Reportf(t.atDefect(d), nil, "%v: what follows is only counted", d.Unread())
			continue
		}
		p.Reportf(t.atDefect(d), nil, "%v: what follows was not read", d.Unread())
	}
}
