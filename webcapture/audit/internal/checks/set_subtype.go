package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setSubtype = &rule.Rule{
	ID:       "WC401",
	Title:    "S of a content set is SPS or SIS.",
	Problem:  "Content sets of unknown kind",
	Clause:   "ISO 32000-2:2020, 14.10.4, table 388",
	Level:    rule.Error,
	Doc:      "S tells page sets from image sets. Without it, no viewer knows what the members of the set are.",
	Repair:   "None.",
	CheckSet: checkSetSubtype,
}

func checkSetSubtype(p *rule.Pass, s *rule.Set) {
	if s.Subtype == webcapture.NoSubtype {
		p.Reportf(s.At(), nil, "S is %v, neither SPS nor SIS", Describe(p, s.S))
	}
}
