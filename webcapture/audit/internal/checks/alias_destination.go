package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var aliasDestination = &rule.Rule{
	ID:       "WC426",
	Title:    "Chains of a URL alias dictionary omit the destination.",
	Problem:  "Redirect chains that include the destination",
	Clause:   "ISO 32000-2:2020, 14.10.5.2, table 392",
	Level:    rule.Note,
	Doc:      "The destination is in U, and a chain may omit it at its end. Readers have to accept both forms.",
	Repair:   "None.",
	CheckSet: checkAliasDestination,
}

func checkAliasDestination(p *rule.Pass, s *rule.Set) {
	for k := range s.Sources {
		a, in := s.Sources[k].Alias, part{s, k, true}
		if a == nil || !a.U.OK() {
			continue
		}
		for i, chain := range a.Chains {
			if n := len(chain); n > 1 && isURL(chain[n-1], a.U.Bytes) && !isURL(chain[0], a.U.Bytes) {
				p.Reportf(s.At(), nil, "%vchain %d ends with the destination %v", in, i, shown(a.U.Bytes))
			}
		}
	}
}
