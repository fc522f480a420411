package checks

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceTwice = &rule.Rule{
	ID:      "WC428",
	Title:   "The sources of a content set have different URLs.",
	Problem: "Content sets with two sources for one URL",
	Clause:  "ISO 32000-2:2020, 14.10.5.1",
	Level:   rule.Warning,
	Doc: "If the same data came from several URLs, SI is an array with a dictionary for each URL. If two " +
		"dictionaries have the same URL, a refresh updates only one of them.",
	Repair:   "None: the right date is unknown.",
	CheckSet: checkSourceTwice,
}

func checkSourceTwice(p *rule.Pass, s *rule.Set) {
	if len(s.Sources) < 2 {
		return
	}
	first := map[string]int{}
	for i := range s.Sources {
		for role, url := range s.Sources[i].URLs() {
			if role != webcapture.Destination || len(url) == 0 {
				continue
			}
			form := string(canon.PDF.Append(nil, url))
			if j, twice := first[form]; twice {
				p.Reportf(s.At(), nil, "sources %d and %d have the same URL, %v", j, i, nametree.Key(form))
			} else {
				first[form] = i
			}
		}
	}
}
