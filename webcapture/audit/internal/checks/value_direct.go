package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueDirect = &rule.Rule{
	ID:      "WC121",
	Title:   "Values are references.",
	Problem: "Values stand in the tree instead of being referred to",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Warning,
	Doc: "Dictionaries and arrays should be indirect. A content set that stands in the tree itself cannot " +
		"be the value of an entry of the other tree, nor of a second key.",
	Repair: "The value becomes an object of its own.",
	Evidence: rule.Evidence{
		Contradiction: "A value stands in the tree, and the standard demands a reference",
		Witness: "None is needed: the value stays, as an object. It gets a key in the other tree if members do not " +
			"carry another ID",
	},
	Action:     rule.OwnObject,
	CheckValue: checkValueDirect,
}

func checkValueDirect(p *rule.Pass, v *rule.Value) {
	switch k := v.Value.Kind(); k {
	case object.Dictionary, object.Array:
		p.Reportf(v.At(), &rule.Fix{Action: rule.OwnObject},
			"the value of key %v is %s that stands in the tree itself, not a reference", v.Key, rule.Article(k))
	}
}
