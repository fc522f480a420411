package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeOrder = &rule.Rule{
	ID:      "WC109",
	Title:   "Keys are in ascending order of their bytes.",
	Problem: "Unsorted keys that viewers can miss",
	Cause:   "typical of tools that join the trees of two files",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "Viewers use binary search within a node. A key out of order is not found, or hides other keys. The order " +
		"is that of unsigned bytes; tools that sort keys as text break it.",
	Repair: "Sort the tree.",
	Evidence: rule.Evidence{
		Contradiction: "The order of entries differs from the order of their keys",
		Witness:       "The keys: each entry keeps its value",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeOrder,
}

func checkTreeOrder(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KeyOrder) {
		key, before := t.Entry(d.Entry), t.Entry(d.Other)
		if t.Name == webcapture.IDS && (isTranscoded(p, t, d.Entry) || isTranscoded(p, t, d.Other)) {
			continue // the original keys may be in order
		}
		p.Reportf(t.AtPair(d.Node, d.Index), rewriteTree, "key %v comes after %v, which is greater", key.Key, before.Key)
	}
}
