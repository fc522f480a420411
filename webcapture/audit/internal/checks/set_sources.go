package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setSources = &rule.Rule{
	ID:       "WC404",
	Title:    "SI of a content set is a source information dictionary or an array of them.",
	Problem:  "Content sets without valid source information",
	Clause:   "ISO 32000-2:2020, 14.10.4, table 388",
	Level:    rule.Error,
	Doc:      "SI says where the content came from. Without it, a viewer cannot update the content.",
	Repair:   "None.",
	CheckSet: checkSetSources,
}

func checkSetSources(p *rule.Pass, s *rule.Set) {
	list, ok := s.SI.Array()
	switch {
	case !ok && len(s.Sources) == 0:
		p.Reportf(s.At(), nil, "SI is %v, neither a dictionary nor an array", Describe(p, s.SI))
	case ok && len(s.Sources) == 0:
		p.Reportf(s.At(), nil, "SI is an array without a source information dictionary")
	case ok && len(s.Sources) != list.Len():
		p.Reportf(s.At(), nil, "SI is an array with elements that are not dictionaries")
	}
}
