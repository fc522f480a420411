package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var valueRepeated = &rule.Rule{
	ID:      "WC125",
	Title:   "An array value names a content set once.",
	Problem: "An array names a content set twice",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 and 14.10.3.3",
	Level:   rule.Warning,
	Doc:     "A set that stands twice in a value is processed twice by viewers that go through the array.",
	Repair:  "The repetition is removed.",
	Evidence: rule.Evidence{
		Contradiction: "An array names a content set twice",
		Witness:       "None is needed: the content set stays, once",
	},
	Action:     rule.TidyValue,
	CheckValue: checkValueRepeated,
}

func checkValueRepeated(p *rule.Pass, v *rule.Value) {
	seen := map[object.Ref]bool{}
	for _, s := range v.Sets {
		if s.Ref.Num != 0 && seen[s.Ref] {
			p.Reportf(v.At(), &rule.Fix{Action: rule.TidyValue}, "%v stands more than once in the value of key %v", s.Ref, v.Key)
		}
		seen[s.Ref] = true
	}
}
