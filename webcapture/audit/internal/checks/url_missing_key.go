package checks

import (
	"cmp"
	"sync"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlMissingKey = &rule.Rule{
	ID:      "WC223",
	Title:   "The URL of a content set is a key of URLS that leads to the set.",
	Problem: "Content sets that cannot be found by their URL",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.3.2",
	Level:   rule.Warning,
	Doc: "A viewer that follows a link looks for its URL in the tree. If the URL is not a key, or its key leads only " +
		"to other sets, the viewer fetches the page again, although the file has it.",
	Repair: "Add an entry with the canonical URL as key, unless the set may be a copy of another one. If the key " +
		"exists, add the set to its value, which becomes an array.",
	Evidence: rule.Evidence{
		Contradiction: "The URL of a content set is not a key of URLS, or the key leads only to other sets",
		Witness: "No copy of the set has as much support from trees and members. No copy has a key in URLS that is " +
			"neither a URL of the copy nor of the set. If the key exists: a set of the same kind in the value has this " +
			"URL, and no other key leads only to sets of other URLs; or that set is a copy of this one with less support",
		Undecided: "The set gets no key: it may be a copy, or its URL may be wrong",
	},
	Action: rule.AddKey,
	// A key without content set may be removed. Then another content set may count as the copy. A key added or changed
	// for one set may also be the URL of another.
	MayFollow:  []rule.Action{rule.RemoveEntry, rule.AddKey, rule.ChangeKey},
	CheckLinks: checkURLMissingKey,
}

func checkURLMissingKey(p *rule.Pass, l *rule.Links) {
	copied := sync.OnceValue(func() *rule.Set { return cmp.Or(copiedFrom(p, l.Set, 0), strayCopy(p, l.Set)) })
	eachUnlisted(p, l, webcapture.Destination, func(url []byte, entries []int) {
		switch {
		case len(entries) == 0:
			key := canonicalKey(url)
			fix, why := keyUnless(copied(), l, "URLS", key)
			if !p.Audit.HasBase && !canon.Split(rule.KeyBytes(key)).Absolute() {
				fix, why = nil, ", but is not absolute; "+remedyOriginal
			}
			p.Reportf(l.At(), fix, "URL %v is not a key of URLS (14.10.3.2)%s", nametree.Key(url), why)
		case l.Ref.Num != 0: // no other value can contain a direct content set
			e := p.DB.URLS.Entry(entries[0])
			fix, why := fixSharedURL(p, l, e, copied)
			p.Reportf(l.At(), fix, "key %v of URLS, at %v, is the URL of this set, but does not lead to it (14.10.3.1)%s",
				nametree.Key(url), rule.PlaceOf(p.DB.URLS, e), why)
		}
	})
}
