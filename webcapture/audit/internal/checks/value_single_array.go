package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueSingleArray = &rule.Rule{
	ID:         "WC124",
	Title:      "An array value holds more than one content set.",
	Problem:    "An array holds a single content set",
	Clause:     "ISO 32000-2:2020, 14.10.3.2 and 14.10.3.3",
	Level:      rule.Note,
	Doc:        "A single content set is its own value; the array is for several under one key.",
	Repair:     "None: it is legal.",
	CheckValue: checkValueSingleArray,
}

func checkValueSingleArray(p *rule.Pass, v *rule.Value) {
	if holdsArray(v) && v.Elements == 1 {
		p.Reportf(v.At(), nil, "the value of key %v is an array of one element", v.Key)
	}
}
