package audit

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

var valueDirect = &Rule{
	ID:      "WC121",
	Title:   "Values are references.",
	Problem: "Values stand in the tree instead of being referred to",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   Warning,
	Doc: "Dictionaries and arrays should be indirect. A content set that stands in the tree itself cannot " +
		"be the value of an entry of the other tree, nor of a second key.",
	Repair:     "The value becomes an object of its own.",
	Action:     OwnObject,
	CheckValue: checkValueDirect,
}

func checkValueDirect(p *Pass, v *Value) {
	switch k := v.Value.Kind(); k {
	case object.Dictionary, object.Array:
		p.Reportf(v.At(), &Fix{Action: OwnObject}, "the value of key %v is %s that stands in the tree itself, not a reference", v.Key, article(k))
	}
}
