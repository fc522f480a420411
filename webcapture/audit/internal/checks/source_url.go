package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceURL = &rule.Rule{
	ID:      "WC405",
	Title:   "SI of a content set is a source, or an array of sources, each with a URL.",
	Problem: "Content sets without a valid source",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388; 14.10.5, tables 391 and 392",
	Level:   rule.Error,
	Doc: "SI says where the content came from, and AU in it is the URL: a string or a URL alias dictionary. Without a " +
		"URL, nothing says which key the set should have in URLS, and a viewer cannot update the content. An empty " +
		"string names no place.",
	Repair:    "None: if the set has a key in URLS, the key is most likely the URL.",
	MayFollow: []rule.Action{rule.ChangeKey},
	CheckSet:  checkSourceURL,
}

func checkSourceURL(p *rule.Pass, s *rule.Set) {
	list, ok := s.SI.Array()
	switch {
	case !ok && len(s.Sources) == 0:
		p.Reportf(s.At(), nil, "SI is %v, neither a dictionary nor an array (table 388)", Describe(p, s.SI))
	case ok && len(s.Sources) == 0:
		p.Reportf(s.At(), nil, "SI is an array without a source information dictionary (table 388)")
	case ok && len(s.Sources) != list.Len():
		p.Reportf(s.At(), nil, "SI is an array with elements that are not dictionaries (table 388)")
	}
	for i := range s.Sources {
		si, in := &s.Sources[i], part{set: s, source: i}
		if !si.AU.OK() && si.Alias == nil {
			p.Reportf(s.At(), nil, "%vAU is %v, neither a string nor a dictionary (table 391)", in,
				Describe(p, si.AU.Object))
		}
		for _, url := range si.URLs() {
			if len(url) == 0 && !underKey(p, s, url) {
				p.Reportf(s.At(), nil, "%va URL is empty (table 391)", in)
				break
			}
		}
	}
}
