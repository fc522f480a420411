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
	Title:   "The URL of a content set is a key of URLS.",
	Problem: "Content sets that cannot be found by their URL",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Warning,
	Doc: "A viewer that follows a link looks for its URL in the tree. If the set is not there, the viewer fetches " +
		"the page again, although the file has it.",
	Repair: "Add an entry with the canonical URL as key, unless the set may be a copy of another one.",
	Evidence: rule.Evidence{
		Contradiction: "The URL of a content set is not a key of URLS",
		Witness: "No copy of the set has as much support from trees and members. No copy has a key in URLS that is " +
			"neither a URL of the copy nor of the set",
		Undecided: "The set gets no key: it may be a copy, or its URL may be wrong",
	},
	Action:     rule.AddKey,
	MayFollow:  []rule.Action{rule.RemoveEntry}, // after WC225, if the key had no content set
	CheckLinks: checkURLMissingKey,
}

func checkURLMissingKey(p *rule.Pass, l *rule.Links) {
	copied := sync.OnceValue(func() *rule.Set { return cmp.Or(copiedFrom(p, l.Set, 0), strayCopy(p, l.Set)) })
	reportUnlisted(p, l, webcapture.Destination, func(url []byte, key nametree.Key) {
		fix, why := keyUnless(copied(), l, "URLS", key)
		if !p.Audit.HasBase && !canon.Split(rule.KeyBytes(key)).Absolute() {
			fix, why = nil, ", but is not absolute; "+remedyOriginal
		}
		p.Reportf(l.At(), fix, "URL %v is not a key of URLS%s", nametree.Key(url), why)
	}, nil)
}
