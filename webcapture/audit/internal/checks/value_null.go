package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueNull = &rule.Rule{
	ID:      "WC120",
	Title:   "Every key leads to an object.",
	Problem: "Keys that lead to nothing",
	Cause:   "typical of tools that remove objects",
	Clause:  "ISO 32000-2:2020, 7.9.6",
	Level:   rule.Error,
	Doc: "The value is null, or refers to an object that is not in the file. Tools that extract or delete pages " +
		"leave such entries.",
	Repair: "Remove the entry.",
	Evidence: rule.Evidence{
		Contradiction: "A key has a value that is null or missing from the file",
		Witness:       "The file has no content set for the key; unreadable parts do not count as missing",
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
