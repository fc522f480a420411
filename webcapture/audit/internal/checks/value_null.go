package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueNull = &rule.Rule{
	ID:      "WC120",
	Title:   "Every key leads to an object, or to an array with elements.",
	Problem: "Keys that lead to nothing",
	Clause:  "ISO 32000-2:2020, 7.9.6 and 14.10.3.1",
	Level:   rule.Error,
	Doc: "The value is null, an empty array, or a reference to an object that is not in the file. A viewer finds the " +
		"key, but the key leads nowhere.",
	Repair: "Remove the entry.",
	Basis: rule.Basis{
		Wrong: "A key has a value that is null, an empty array, or missing from the file",
		Right: "The file has no content set for the key; unreadable parts do not count as missing",
	},
	Action:     rule.RemoveEntry,
	CheckValue: checkValueNull,
}

func checkValueNull(p *rule.Pass, v *rule.Value) {
	fix := &rule.Fix{Action: rule.RemoveEntry, Old: v.Key}
	ref, ok := v.Value.Ref()
	switch {
	case v.Resolved.Kind() == object.Array && v.Elements == 0:
		p.Reportf(v.At(), fix, "the value of key %v is an empty array (14.10.3)", v.Key)
	case !v.Resolved.IsNull():
	case ok:
		p.Reportf(v.At(), fix, "key %v leads to %v, which is not in the file (7.9.6)", v.Key, ref)
	default:
		p.Reportf(v.At(), fix, "key %v leads to null (7.9.6)", v.Key)
	}
}
