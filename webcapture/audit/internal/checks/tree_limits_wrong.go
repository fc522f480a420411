package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeLimitsWrong = &rule.Rule{
	ID:      "WC106",
	Title:   "Limits are the least and the greatest key below the node.",
	Problem: "Limits do not match the keys below a node",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "A viewer that looks for a key outside the Limits does not look into the node. With Limits too " +
		"narrow it misses keys, with Limits too wide it looks in the wrong place.",
	Repair: "Limits is written with the least and the greatest key below.",
	Evidence: rule.Evidence{
		Contradiction: "Limits, and the keys below the node",
		Witness:       "The keys, which stay: Limits follow from them",
	},
	Action:    rule.RewriteTree,
	CheckTree: checkTreeLimitsWrong,
}

func checkTreeLimitsWrong(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.LimitsWrong) {
		l := t.Node(d.Node).Limits
		p.Reportf(t.AtNode(d.Node), rewriteTree, "Limits is [%v %v]%s", l.Least, l.Greatest, shouldBe(t, d.Node))
	}
}
