package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceURLEmpty = &rule.Rule{
	ID:        "WC422",
	Title:     "URLs of a source are not empty.",
	Problem:   "Sources with an empty URL",
	Clause:    "ISO 32000-2:2020, 14.10.5.1, table 391",
	Level:     rule.Error,
	Doc:       "The URL says where the content came from. An empty string names no place.",
	Repair:    "None: if the set has a key in URLS, the key is most likely the URL.",
	MayFollow: []rule.Action{rule.ChangeKey},
	CheckSet:  checkSourceURLEmpty,
}

func checkSourceURLEmpty(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		for _, url := range s.Sources[i].URLs() {
			if len(url) == 0 && !underKey(p, s, url) {
				p.Reportf(s.At(), nil, "%va URL is empty", part{set: s, source: i})
				break
			}
		}
	}
}
