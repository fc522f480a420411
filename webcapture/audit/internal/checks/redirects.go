package checks

// URLs that redirect to the URL of a content set (14.10.5.2).

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlMissingAlias = &rule.Rule{
	ID:      "WC224",
	Title:   "The URLs that redirect to the URL of a content set are keys of URLS.",
	Problem: "Content sets that cannot be found by a URL that redirects to theirs",
	Clause:  "ISO 32000-2:2020, 14.10.5.2",
	Level:   rule.Note,
	Doc: "An alias dictionary lists several URLs that lead to the same content. The standard does not require a " +
		"key for each. With a key for each, viewers find the set by any of these links.",
	Repair: "Add an entry for each of these URLs.",
	Basis: rule.Basis{
		Wrong:     "A URL redirects to the URL of a content set, but is not a key of URLS",
		Right:     "The user, by naming the rule",
		Otherwise: "The set gets no key",
	},
	OnRequest:   true,
	Action:      rule.AddKey,
	OtherAction: rule.ChangeSource,
	CheckLinks:  checkURLMissingAlias,
}

func checkURLMissingAlias(p *rule.Pass, l *rule.Links) {
	eachUnlisted(p, l, webcapture.Redirect, func(url []byte, entries []int) {
		if len(entries) == 0 {
			fix := absoluteSource(p, l.Set, url)
			if !rule.IsRelative(url) {
				fix = keyFor(l, "URLS", canonicalKey(url))
			}
			p.Reportf(l.At(), fix, "redirecting URL %v is not a key of URLS", nametree.Key(url))
		}
	})
}
