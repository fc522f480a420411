package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeMissed = &rule.Rule{
	ID:      "WC126",
	Title:   "A search by Limits finds every key.",
	Problem: "Keys that a viewer misses when it searches the tree",
	Cause:   "often because a tool changed keys without sorting them",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "Wrong Limits, wrong order, and broken nodes hide entries that are in the file. webcap searches as " +
		"viewers do: by halving, from the root down.",
	Repair: "Sort the tree and rewrite its Limits.",
	Evidence: rule.Evidence{
		Contradiction: "The order of entries or Limits does not match the keys",
		Witness:       "The keys: each entry keeps its value",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeMissed,
}

func checkTreeMissed(p *rule.Pass, t *rule.Tree) {
	n, first := 0, -1
	for i := range t.Missed() {
		// Find returns another entry with the same key. The rule about duplicate keys reports that.
		if _, ok := t.Find(t.Entry(i).Key); ok {
			continue
		}
		if n++; n == 1 {
			first = i
		}
	}
	if n > 0 {
		p.Reportf(t.At(), rewriteTree, "a search by Limits misses %d of %d keys, the first is %v", n,
			t.Len(), t.Entry(first).Key)
	}
}
