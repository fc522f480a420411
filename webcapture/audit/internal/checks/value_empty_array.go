package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueEmptyArray = &rule.Rule{
	ID:      "WC123",
	Title:   "An array value holds content sets.",
	Problem: "Empty arrays in place of content sets",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 and 14.10.3.3",
	Level:   rule.Error,
	Doc:     "A viewer finds the key, but the key leads nowhere.",
	Repair:  "Remove the entry.",
	Evidence: rule.Evidence{
		Contradiction: "A key has an array without content sets as its value",
		Witness:       "The array has no elements",
	},
	Action:     rule.RemoveEntry,
	CheckValue: checkValueEmptyArray,
}

func checkValueEmptyArray(p *rule.Pass, v *rule.Value) {
	if holdsArray(v) && v.Elements == 0 {
		p.Reportf(v.At(), &rule.Fix{Action: rule.RemoveEntry, Old: v.Key}, "the value of key %v is an empty array", v.Key)
	}
}
