package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeOrder = &rule.Rule{
	ID:      "WC109",
	Title:   "Keys are in ascending order of their bytes.",
	Problem: "Keys are not in order, so that viewers miss some",
	Cause:   "as tools leave them that join the trees of two files",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "Viewers search a node by halving it. A key that is out of order is not found, or hides others. " +
		"Order is that of unsigned bytes, not of text; tools that sort keys as text produce this.",
	Repair: "The tree is sorted.",
	Evidence: rule.Evidence{
		Contradiction: "The order of entries, and their keys",
		Witness:       "The keys: each entry keeps its value",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeOrder,
}

func checkTreeOrder(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KeyOrder) {
		key, before := t.Entry(d.Entry), t.Entry(d.Other)
		if t.Name == webcapture.IDS && (isTranscoded(p, t, d.Entry) || isTranscoded(p, t, d.Other)) {
			continue // the true keys may well be in order
		}
		p.Reportf(t.AtPair(d.Node, d.Index), rewriteTree, "key %v comes after %v, which is greater", key.Key, before.Key)
	}
}
