package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeSize = &rule.Rule{
	ID:      "WC114",
	Title:   "A tree keeps within what can be read.",
	Problem: "A tree is too deep or too large to be read whole",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "Trees that are deeper or larger than any writer makes them are read up to a limit, so that a " +
		"hostile file cannot stop an audit. What lies beyond it was not checked.",
	Repair:    "None.",
	CheckTree: checkTreeSize,
}

func checkTreeSize(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.TooDeep, nametree.TooManyNodes, nametree.TooManyEntries, nametree.TooLarge,
		nametree.TooManyDefects) {
		if d.Kind == nametree.TooManyDefects {
			p.Reportf(t.AtDefect(d), nil, "%v: what follows is only counted", d.Unread())
			continue
		}
		p.Reportf(t.AtDefect(d), nil, "%v: what follows was not read", d.Unread())
	}
}
