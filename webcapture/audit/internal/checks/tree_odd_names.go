package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeOddNames = &rule.Rule{
	ID:      "WC107",
	Title:   "Names holds pairs of a key and a value.",
	Problem: "Names arrays with an incomplete pair",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc:     "A key without a value leads nowhere. Some readers reject the whole node.",
	Repair: "If the leftover element is a content set, use its own URL or ID as key. If it is a key that the tree " +
		"has elsewhere, remove it. The value of any other key is unknown.",
	Basis: rule.Basis{
		Wrong: "A value has no key before it",
		Right: "URL and ID of the content set, if its members carry no other ID, and no other set of its kind has " +
			"its ID or one of its members",
		Otherwise: "The pair is kept",
	},
	Action:    rule.RestoreKeys,
	CheckTree: checkTreeOddNames,
}

func checkTreeOddNames(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.OddNames) {
		p.Reportf(t.AtPair(d.Node, d.Index), restoreKeys(p, t, d),
			"Names ends with %v, which has no value", Describe(p, d.Found))
	}
}
