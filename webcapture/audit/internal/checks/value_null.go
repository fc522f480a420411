package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueNull = &rule.Rule{
	ID:      "WC120",
	Title:   "Every key leads to something.",
	Problem: "Keys lead to nothing",
	Cause:   "as tools leave them that take objects out",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "The value is null, or a reference to an object that is not in the file. Tools that extract or " +
		"delete pages leave such entries.",
	Repair: "The entry is removed.",
	Evidence: rule.Evidence{
		Contradiction: "A key, and its value, which is null or not in the file",
		Witness:       "The file has no content set for it: parts that could not be read do not count as missing",
	},
	Action:     rule.RemoveEntry,
	CheckValue: checkValueNull,
}

func checkValueNull(p *rule.Pass, v *rule.Value) {
	if !v.Resolved.IsNull() {
		return
	}
	if ref, ok := v.Value.Ref(); ok {
		p.Reportf(v.At(), &rule.Fix{Action: rule.RemoveEntry, Old: v.Key},
			"key %v leads to %v, which is not in the file", v.Key, ref)
		return
	}
	p.Reportf(v.At(), &rule.Fix{Action: rule.RemoveEntry, Old: v.Key}, "key %v leads to null", v.Key)
}
