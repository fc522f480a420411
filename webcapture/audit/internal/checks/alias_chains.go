package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var aliasChains = &rule.Rule{
	ID:       "WC424",
	Title:    "C of a URL alias dictionary holds arrays of strings, none of them empty.",
	Problem:  "Redirect chains that are not arrays of URLs",
	Clause:   "ISO 32000-2:2020, 14.10.5.2, table 392",
	Level:    rule.Error,
	Doc:      "Each array in C is one chain of redirects: the URLs that led to the destination, in order.",
	Repair:   "None.",
	CheckSet: checkAliasChains,
}

func checkAliasChains(p *rule.Pass, s *rule.Set) {
	for k := range s.Sources {
		a, in := s.Sources[k].Alias, part{s, k, true}
		if a == nil {
			continue
		}
		if list, ok := a.C.Array(); ok && list.Len() != len(a.Chains) {
			p.Reportf(s.At(), nil, "%vC has %d elements, but only %d arrays", in, list.Len(), len(a.Chains))
		}
		for i, chain := range a.Chains {
			if len(chain) == 0 {
				p.Reportf(s.At(), nil, "%vchain %d is empty", in, i)
			}
			for j := range chain {
				if !chain[j].OK() {
					p.Reportf(s.At(), nil, "%vURL %d of chain %d is %s, not a string", in, j, i, Describe(p, chain[j].Object))
				}
			}
		}
	}
}
