package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setEmpty = &rule.Rule{
	ID:      "WC407",
	Title:   "O of a content set is not empty.",
	Problem: "Content sets without members",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Warning,
	Doc: "The set records a capture, but none of its pages or images are left. The tool that removed the last " +
		"member should have removed the set and its keys.",
	Repair: "Remove the set and its keys.",
	Basis: rule.Basis{
		Wrong:     "A content set has no members",
		Right:     "The user, by naming the rule",
		Otherwise: "The set is kept",
	},
	OnRequest: true,
	Action:    rule.RemoveSet,
	MayFollow: []rule.Action{rule.DropMember},
	CheckSet:  checkSetEmpty,
}

func checkSetEmpty(p *rule.Pass, s *rule.Set) {
	if o, ok := s.O.Array(); ok && o.Len() == 0 {
		p.Reportf(s.At(), removal(s), "O is empty")
	}
}
