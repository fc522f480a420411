package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceURL = &rule.Rule{
	ID:      "WC405",
	Title:   "AU of a source information dictionary is a string or a URL alias dictionary.",
	Problem: "Sources without a valid URL",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391",
	Level:   rule.Error,
	Doc: "AU is the URL that the content came from. Without it, nothing says which key the set should " +
		"have in URLS, or where the content came from.",
	Repair:   "None: if the set has a key in URLS, the key is most likely the URL.",
	CheckSet: checkSourceURL,
}

func checkSourceURL(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		if si := &s.Sources[i]; !si.AU.OK() && si.Alias == nil {
			p.Reportf(s.At(), nil, "AU is %v, neither a string nor a dictionary", Describe(p, si.AU.Object))
		}
	}
}
