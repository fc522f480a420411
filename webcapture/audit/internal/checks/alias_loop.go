package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var aliasLoop = &rule.Rule{
	ID:      "WC427",
	Title:   "A chain of a URL alias dictionary does not begin with the destination and has each URL once.",
	Problem: "Redirect chains with a loop",
	Clause:  "ISO 32000-2:2020, 14.10.5.2, table 392",
	Level:   rule.Warning,
	Doc: "A chain lists the redirects that led to the destination. A chain that begins there, or repeats a URL, " +
		"does not end.",
	Repair:   "None.",
	CheckSet: checkAliasLoop,
}

func checkAliasLoop(p *rule.Pass, s *rule.Set) {
	for k := range s.Sources {
		a, in := s.Sources[k].Alias, part{s, k, true}
		if a == nil {
			continue
		}
		for i, chain := range a.Chains {
			if len(chain) > 0 && a.U.OK() && isURL(chain[0], a.U.Bytes) {
				p.Reportf(s.At(), nil, "%vchain %d begins with the destination %v", in, i, shown(a.U.Bytes))
			} else if j := RepeatedURL(chain); j > 0 {
				p.Reportf(s.At(), nil, "%vchain %d has the URL %v twice", in, i, shown(chain[j].Bytes))
			}
		}
	}
}
