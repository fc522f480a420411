package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var treeKeyType = &rule.Rule{
	ID:      "WC108",
	Title:   "Keys are strings.",
	Problem: "Keys that are not strings",
	Clause:  "ISO 32000-2:2020, 7.9.6, table 36",
	Level:   rule.Error,
	Doc:     "Viewers can search only for strings. A null key also shows that an object is missing from the file.",
	Repair:  "If the value holds content sets, use their own URLs and IDs as keys.",
	Basis: rule.Basis{
		Wrong: "A value has a key that is not a string",
		Right: "URL and ID of the content set, if its members carry no other ID, and no other set of its kind has " +
			"its ID or one of its members",
		Otherwise: "The pair is kept",
	},
	Action:    rule.RestoreKeys,
	CheckTree: checkTreeKeyType,
}

func checkTreeKeyType(p *rule.Pass, t *rule.Tree) {
	for d := range p.Defects(t, nametree.KeyNotString, nametree.KeyNull) {
		p.Reportf(t.AtPair(d.Node, d.Index), restoreKeys(p, t, d), "the key is %v, not a string",
			Describe(p, d.Found))
	}
}
