package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueRepeated = &rule.Rule{
	ID:      "WC125",
	Title:   "An array value lists each content set once.",
	Problem: "Arrays that list a content set twice",
	Clause:  "ISO 32000-2:2020, 14.10.3.1",
	Level:   rule.Note,
	Doc:     "Viewers that go through the array process this content set twice.",
	Repair:  "Remove the duplicate.",
	Basis: rule.Basis{
		Wrong: "An array lists a content set twice",
		Right: "Not needed: the content set is kept once",
	},
	Action:     rule.TidyValue,
	CheckValue: checkValueRepeated,
}

func checkValueRepeated(p *rule.Pass, v *rule.Value) {
	seen := map[object.Ref]bool{}
	for _, s := range v.Sets {
		if s.Ref.Num != 0 && seen[s.Ref] {
			p.Reportf(v.At(), &rule.Fix{Action: rule.TidyValue}, "the value of key %v lists %v more than once", v.Key, s.Ref)
		}
		seen[s.Ref] = true
	}
}
