package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var aliasAlone = &rule.Rule{
	ID:      "WC425",
	Title:   "A URL alias dictionary has chains.",
	Problem: "Alias dictionaries without redirects",
	Clause:  "ISO 32000-2:2020, 14.10.5.2, table 392",
	Level:   rule.Note,
	Doc: "An alias dictionary lists several URLs that lead to one destination. If there is only the destination, a " +
		"string in AU says the same.",
	Repair:   "None.",
	CheckSet: checkAliasAlone,
}

func checkAliasAlone(p *rule.Pass, s *rule.Set) {
	for k := range s.Sources {
		a, in := s.Sources[k].Alias, part{s, k, true}
		if a == nil || !a.U.OK() {
			continue
		}
		if list, ok := a.C.Array(); a.C.IsNull() || ok && list.Len() == 0 {
			p.Reportf(s.At(), nil, "%vC has no chains, so AU could be the string %v", in, shown(a.U.Bytes))
		}
	}
}
