package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlMissingKey = &rule.Rule{
	ID:      "WC223",
	Title:   "The URL of a content set is a key of URLS.",
	Problem: "Content sets cannot be found by their URL",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Warning,
	Doc: "A viewer that follows a link looks for the URL in the tree. If the set is not there, it fetches " +
		"the page again although the file has it.",
	Repair: "An entry is added with the canonical URL as key, unless another set has the same ID and members.",
	Evidence: rule.Evidence{
		Contradiction: "The URL of a content set, and URLS, which does not have it",
		Witness:       "IDS leads to no other content set with this ID and the same first member",
		Undecided:     "The set stays without the key: it may be a copy",
	},
	Action:     rule.AddKey,
	CheckLinks: checkURLMissingKey,
}

func checkURLMissingKey(p *rule.Pass, l *rule.Links) {
	reportUnlisted(p, l, webcapture.Destination, func(url []byte, key nametree.Key) {
		p.Reportf(l.At(), fixMissingURL(p, l, key), "URL %v is not a key of URLS", nametree.Key(url))
	}, nil)
}
