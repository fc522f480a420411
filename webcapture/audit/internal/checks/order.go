package checks

// Limits of nodes, the order of keys, and the keys that a search misses (7.9.6, table 36).

import (
	"fmt"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeRootLimits = &rule.Rule{
	ID:      "WC104",
	Title:   "The root has no Limits.",
	Problem: "Name tree roots with Limits",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Warning,
	Doc: "Only intermediate and leaf nodes have Limits. Most viewers ignore Limits in a root, but some compare " +
		"keys with them. If these Limits are outdated, such a viewer finds nothing.",
	Repair: "Remove Limits from the root.",
	Basis: rule.Basis{
		Wrong: "The root has Limits; the standard allows none there",
		Right: "Not needed: lookups work without these Limits",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeRootLimits,
}

var treeLimits = &rule.Rule{
	ID:      "WC106",
	Title:   "Every node below the root has Limits, the lowest and the highest key below the node.",
	Problem: "Nodes with missing or wrong Limits",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Warning,
	Doc: "A viewer uses Limits to choose the kid to search. Without valid Limits, some viewers stop the search and " +
		"miss entries of other nodes too. If Limits are too narrow, a viewer misses keys. If they are too wide, it " +
		"searches the wrong node. WC126 reports the keys that a search misses.",
	Repair: "Write the lowest and the highest key below the node as Limits.",
	Basis: rule.Basis{
		Wrong: "Limits are missing, malformed, or differ from the keys below the node",
		Right: "The keys: they are kept and determine Limits",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeLimits,
}

var treeMissed = &rule.Rule{
	ID:      "WC126",
	Title:   "Keys are in ascending order of their bytes, and a search by Limits finds every key.",
	Problem: "Keys that a viewer misses when it searches the tree",
	Cause:   "often because a tool changed keys without sorting them",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "Viewers search by halving, from the root down. Wrong order, wrong Limits, and broken nodes hide entries that " +
		"are in the file. The order is that of unsigned bytes; tools that sort keys as text break it. webcap searches " +
		"as viewers do. Other rules report Limits and nodes.",
	Repair: "Sort the tree and rewrite its Limits.",
	Basis: rule.Basis{
		Wrong: "The order of entries or Limits does not match the keys",
		Right: "The keys: each entry keeps its value",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeMissed,
}

func checkTreeRootLimits(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.RootLimits) {
		p.Reportf(t.AtNode(d.Node), rewriteTree, "the root has Limits, which only other nodes may have")
	}
}

func checkTreeLimits(p *rule.Pass, t *rule.Tree) {
	empty := map[int]bool{} // no Limits are correct for these nodes
	for d := range t.DefectsOf(nametree.NeitherKidsNorNames, nametree.EmptyLeaf, nametree.EmptyKids) {
		empty[d.Node] = true
	}
	for d := range p.Defects(t, nametree.LimitsMissing, nametree.LimitsMalformed, nametree.LimitsWrong) {
		at := t.AtNode(d.Node)
		switch {
		case d.Kind == nametree.LimitsWrong:
			l := t.Node(d.Node).Limits
			p.Reportf(at, rewriteTree, "Limits is [%v %v]%s (table 36)", l.Least, l.Greatest, shouldBe(t, d.Node))
		case empty[d.Node]:
		case d.Kind == nametree.LimitsMissing:
			p.Reportf(at, rewriteTree, "Limits is missing%s (table 36)", shouldBe(t, d.Node))
		default:
			p.Reportf(at, rewriteTree, "Limits is not an array of two strings%s (table 36)", shouldBe(t, d.Node))
		}
	}
}

// shouldBe describes the correct Limits of a node; empty if unknown.
func shouldBe(t *rule.Tree, node int) string {
	n := t.Node(node)
	if !n.HasBounds {
		return ""
	}
	return ", expected [" + rule.Short(n.Bounds.Least) + " " + rule.Short(n.Bounds.Greatest) + "]"
}

// checkTreeMissed reports missed keys and wrong order in one finding. If equal keys are merged, a search may miss keys
// that it found before. That is not a new finding, because the tree already had one.
func checkTreeMissed(p *rule.Pass, t *rule.Tree) {
	var problems []string
	if n, first := missedKeys(t); n > 0 {
		problems = append(problems, fmt.Sprintf("a search by Limits misses %d of %d keys, the first is %s (table 36)", n,
			t.Len(), rule.Short(t.Entry(first).Key)))
	}
	if d, ok := firstDisorder(p, t); ok {
		key, before := t.Entry(d.Entry), t.Entry(d.Other)
		problems = append(problems, fmt.Sprintf("key %s at %v comes after %s, which is greater (7.9.6)",
			rule.Short(key.Key), *t.AtPair(key.Node, key.Pair).Node, rule.Short(before.Key)))
	}
	if len(problems) > 0 {
		p.Reportf(t.At(), rewriteTree, "%s", strings.Join(problems, "; "))
	}
}

// missedKeys returns the number of keys that a search does not find, and the first entry with such a key.
func missedKeys(t *rule.Tree) (n, first int) {
	for i := range t.Missed() {
		// Find returns another entry with the same key. The rule about duplicate keys reports that.
		if _, ok := t.Find(t.Entry(i).Key); ok {
			continue
		}
		if n++; n == 1 {
			first = i
		}
	}
	return n, first
}

// firstDisorder returns the first key that is less than the key before it. Text in IDS does not count, because the
// original keys may be in order.
func firstDisorder(p *rule.Pass, t *rule.Tree) (nametree.Defect, bool) {
	for d := range t.DefectsOf(nametree.KeyOrder) {
		if t.Name != webcapture.IDS || !isTranscoded(p, t, d.Entry) && !isTranscoded(p, t, d.Other) {
			return d, true
		}
	}
	return nametree.Defect{}, false
}
