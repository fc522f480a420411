package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlMissingAlias = &rule.Rule{
	ID:      "WC224",
	Title:   "The URLs that redirect to a content set's URL are keys of URLS.",
	Problem: "Content sets cannot be found by a URL that redirects to theirs",
	Clause:  "ISO 32000-2:2020, 14.10.5.2",
	Level:   rule.Note,
	Doc: "An alias dictionary says that several URLs lead to the same content. The standard does not say " +
		"that each is a key; a set that stands under all of them is found whichever link is followed.",
	Repair: "On request an entry is added for each.",
	Evidence: rule.Evidence{
		Contradiction: "A URL that redirects to that of a content set, and URLS, which does not have it",
		Witness:       "The user, who names the rule",
		Undecided:     "The set stays without the key",
	},
	OnRequest:  true,
	Action:     rule.AddKey,
	CheckLinks: checkURLMissingAlias,
}

func checkURLMissingAlias(p *rule.Pass, l *rule.Links) {
	reportUnlisted(p, l, webcapture.Redirect, func(url []byte, key nametree.Key) {
		p.Reportf(l.At(), keyFor(l, "URLS", key), "redirecting URL %v is not a key of URLS", nametree.Key(url))
	}, nil)
}
