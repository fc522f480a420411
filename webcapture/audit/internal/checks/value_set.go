package checks

import (
	"fmt"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueSet = &rule.Rule{
	ID:      "WC122",
	Title:   "Values are content sets or arrays of content sets.",
	Problem: "Values that are not content sets",
	Clause:  "ISO 32000-2:2020, 14.10.3.1",
	Level:   rule.Error,
	Doc: "A content set is a dictionary with the entries S, ID, O, and SI. A dictionary with fewer than two of " +
		"them does not count as a content set. No viewer can use it.",
	Repair: "Remove array elements that are missing from the file. The right form of any other value is unknown.",
	Basis: rule.Basis{
		Wrong:     "An element of an array value is missing from the file",
		Right:     "The file has no content set for it",
		Otherwise: "Any other value is kept",
	},
	Action:     rule.TidyValue,
	CheckValue: checkValueSet,
}

func checkValueSet(p *rule.Pass, v *rule.Value) {
	if v.Resolved.IsNull() {
		return
	}
	for i, s := range v.Sets {
		if s.Recognized() {
			continue
		}
		what := "the value"
		if v.Resolved.Kind() == object.Array {
			what = fmt.Sprintf("element %d of the value", i)
		}
		var fix *rule.Fix
		if s.Object.IsNull() {
			fix = &rule.Fix{Action: rule.TidyValue}
		}
		p.Reportf(v.At(), fix, "%s of key %v is %s, not a content set", what, v.Key, describeSet(s))
	}
}
