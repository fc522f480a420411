package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueDirect = &rule.Rule{
	ID:      "WC121",
	Title:   "Values are references.",
	Problem: "Values stored directly in the tree",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Note,
	Doc: "Dictionaries and arrays should be indirect objects. A content set stored directly in one tree cannot be " +
		"a value of the other tree or of a second key.",
	Repair: "Make the value an indirect object.",
	Evidence: rule.Evidence{
		Contradiction: "A value is stored directly in the tree; the standard asks for a reference",
		Witness: "Not needed: the value is kept as an indirect object. It gets a key in the other tree, unless that " +
			"tree already has the same set, or members have another ID",
	},
	Action:     rule.OwnObject,
	CheckValue: checkValueDirect,
}

func checkValueDirect(p *rule.Pass, v *rule.Value) {
	switch k := v.Value.Kind(); k {
	case object.Dictionary, object.Array:
		p.Reportf(v.At(), &rule.Fix{Action: rule.OwnObject},
			"the value of key %v is %s stored directly in the tree, not a reference", v.Key, rule.Article(k))
	}
}
