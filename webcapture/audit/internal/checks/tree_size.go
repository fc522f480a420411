package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeSize = &rule.Rule{
	ID:      "WC114",
	Title:   "A tree is small enough to be read completely.",
	Problem: "Name trees too deep or too large to read completely",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "webcap reads each tree up to a limit, so that a hostile file cannot stop an audit. No known writer " +
		"exceeds the limit. webcap did not check the rest of the tree.",
	Repair:    "None.",
	CheckTree: checkTreeSize,
}

func checkTreeSize(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.TooDeep, nametree.TooManyNodes, nametree.TooManyEntries, nametree.TooLarge,
		nametree.TooManyDefects) {
		if d.Kind == nametree.TooManyDefects {
			p.Reportf(t.AtDefect(d), nil, "%v: the rest was only counted", d.Unread())
			continue
		}
		p.Reportf(t.AtDefect(d), nil, "%v: the rest was not read", d.Unread())
	}
}
