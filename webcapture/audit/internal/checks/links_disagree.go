package checks

import (
	"sync"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var linksDisagree = &rule.Rule{
	ID:      "WC225",
	Title:   "A content set is in the value of every key that is its URL or its ID.",
	Problem: "A content set is missing from the value of one of its keys",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 and 14.10.3.3",
	Level:   rule.Warning,
	Doc:     "The key is there and leads to other content sets only. A viewer that follows it does not find this one.",
	Repair:  "The set is added to the value, which becomes an array.",
	Evidence: rule.Evidence{
		Contradiction: "The URL or ID of a content set, and the key, which leads to other sets only",
		Witness: "For a URL, a set in the value that comes from there, or is a copy of this one with less support; for an " +
			"ID, members do not carry another one",
		Undecided: "The set stays without the key",
	},
	Action:     rule.AddKey,
	MayFollow:  []rule.Action{rule.ChangeID, rule.ChangeKey}, // of copies, after WC223
	CheckLinks: checkLinksDisagree,
}

func checkLinksDisagree(p *rule.Pass, l *rule.Links) {
	if l.Ref.Num == 0 {
		return // a set that stands in the tree itself can be in no other value
	}
	copied := sync.OnceValue(func() *rule.Set { return copiedFrom(p, l.Set, 0) })
	reportUnlisted(p, l, webcapture.Destination, nil, func(url []byte, e nametree.Entry) {
		at := rule.PlaceOf(p.DB.URLS, e)
		fix, why := fixSharedURL(p, l, e, copied)
		p.Reportf(l.At(), fix, "key %v of URLS, at %v, does not lead to this set, which comes from there%s",
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
		p.Reportf(l.At(), fix, "key %v of IDS, at %v, does not lead to this set, whose ID it is%s",
			nametree.Key(id[:]), at, why)
	}
}
