package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setMembers = &rule.Rule{
	ID:      "WC403",
	Title:   "O of a content set is an array.",
	Problem: "Content sets whose O is not an array",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc: "O lists the pages or images that were made from the source. Without it, the set names its source but no " +
		"content.",
	Repair:   "None.",
	CheckSet: checkSetMembers,
}

func checkSetMembers(p *rule.Pass, s *rule.Set) {
	if s.O.Kind() != object.Array {
		p.Reportf(s.At(), nil, "O is %v, not an array", Describe(p, s.O))
	}
}
