package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeOddNames = &rule.Rule{
	ID:      "WC107",
	Title:   "Names holds pairs of a key and a value.",
	Problem: "Names does not hold pairs of a key and a value",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc:     "A key without a value leads nowhere, and some readers refuse the whole node.",
	Repair:  "If what is left over is a content set, its own URL or ID gives its key; a key that the tree has elsewhere goes. The value of any other key is not known.",
	Evidence: rule.Evidence{
		Contradiction: "A value, and the missing key before it",
		Witness:       "URL and ID of the content set, where members do not carry another ID",
		Undecided:     "The pair stays",
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
