package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setEmpty = &rule.Rule{
	ID:      "WC407",
	Title:   "O of a content set is not empty.",
	Problem: "Content sets are empty",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "A set without pages or images says that a source was captured of which nothing is left. It " +
		"should have been removed, with its keys, together with its last member.",
	Repair: "On request the set and its keys are removed.",
	Evidence: rule.Evidence{
		Contradiction: "A content set without members",
		Witness:       "The user, who names the rule",
		Undecided:     "The set stays",
	},
	OnRequest: true,
	Action:    rule.RemoveSet,
	MayFollow: []rule.Action{rule.DropMember},
	CheckSet:  checkSetEmpty,
}

func checkSetEmpty(p *rule.Pass, s *rule.Set) {
	if o, ok := s.O.Array(); ok && o.Len() == 0 {
		p.Reportf(s.At(), removal(s), "O is empty: nothing of the source is left in the file")
	}
}
