package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeLimitsWrong = &rule.Rule{
	ID:      "WC106",
	Title:   "Limits are the lowest and the highest key below the node.",
	Problem: "Limits that do not match the keys below the node",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc: "A viewer skips a node if the key is outside its Limits. If Limits are too narrow, the viewer misses " +
		"keys. If they are too wide, it searches the wrong node.",
	Repair: "Write the lowest and the highest key below the node as Limits.",
	Evidence: rule.Evidence{
		Contradiction: "Limits differ from the keys below the node",
		Witness:       "The keys: they are kept and determine Limits",
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
