package checks

import (
	"cmp"
	"sync"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var linksDisagree = &rule.Rule{
	ID:      "WC225",
	Title:   "Every key that is the URL or the ID of a content set leads to this set.",
	Problem: "Content sets missing from the value of their key",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 and 14.10.3.3",
	Level:   rule.Warning,
	Doc:     "The key exists but leads only to other content sets. A viewer that follows it does not find this one.",
	Repair:  "Add the set to the value, which becomes an array.",
	Evidence: rule.Evidence{
		Contradiction: "The URL or ID of a content set is a key that leads only to other sets",
		Witness: "For a URL: a set of the same kind in the value has this URL, and no other key leads only to sets of " +
			"other URLs; or that set is a copy of this one with less support. For an ID: members carry no other ID, and " +
			"no proof elsewhere refutes such agreement",
		Undecided: "The set gets no key",
	},
	Action: rule.AddKey,
	// After WC223 has added a key, another content set may count as the copy. A key added or changed for one set may
	// also be the URL of another.
	MayFollow:  []rule.Action{rule.AddKey, rule.ChangeID, rule.ChangeKey},
	CheckLinks: checkLinksDisagree,
}

func checkLinksDisagree(p *rule.Pass, l *rule.Links) {
	if l.Ref.Num == 0 {
		return // no other value can contain a direct content set
	}
	copied := sync.OnceValue(func() *rule.Set { return cmp.Or(copiedFrom(p, l.Set, 0), strayCopy(p, l.Set)) })
	reportUnlisted(p, l, webcapture.Destination, nil, func(url []byte, e nametree.Entry) {
		at := rule.PlaceOf(p.DB.URLS, e)
		fix, why := fixSharedURL(p, l, e, copied)
		p.Reportf(l.At(), fix, "key %v of URLS, at %v, is the URL of this set, but does not lead to it%s",
			nametree.Key(url), at, why)
	})
	id, ok := l.Identifier()
	if !ok || p.DB.IDS == nil || len(l.IDS) > 0 {
		return
	}
	if where, entries := findEntries(p, p.DB.IDS, []string{string(id[:])}, l.Ref); where == elsewhere &&
		!sameKind(p, l.Set, entries[0]) {
		at := rule.PlaceOf(p.DB.IDS, p.DB.IDS.Entry(entries[0]))
		fix, why := fixMissingID(p, l, nametree.Key(id[:]))
		p.Reportf(l.At(), fix, "key %v of IDS, at %v, is the ID of this set, but does not lead to it%s",
			nametree.Key(id[:]), at, why)
	}
}
