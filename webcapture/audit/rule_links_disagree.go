package audit

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

var linksDisagree = &Rule{
	ID:         "WC225",
	Title:      "A content set is in the value of every key that is its URL or its ID.",
	Problem:    "A content set is missing from the value of one of its keys",
	Clause:     "ISO 32000-2:2020, 14.10.3.2 and 14.10.3.3",
	Level:      Warning,
	Doc:        "The key is there and leads to other content sets only. A viewer that follows it does not find this one.",
	Repair:     "The set is added to the value, which becomes an array.",
	Action:     AddKey,
	CheckLinks: checkLinksDisagree,
}

func checkLinksDisagree(p *Pass, l *Links) {
	if l.Ref.Num == 0 {
		return // a set that stands in the tree itself can be in no other value
	}
	reportUnlisted(p, l, webcapture.Destination, nil, func(url []byte, e nametree.Entry) {
		at := PlaceOf(p.DB.URLS, e)
		p.Reportf(l.At(), l.addKey("URLS", e.Key), "key %v of URLS, at %v, does not lead to this set, which comes from there", nametree.Key(url), at)
	})
	id, ok := l.Identifier()
	if !ok || p.DB.IDS == nil || len(l.IDS) > 0 {
		return
	}
	if where, entries := p.find(p.DB.IDS, []string{string(id[:])}, l.Ref); where == elsewhere && !p.sameKind(l.Set, entries[0]) {
		at := PlaceOf(p.DB.IDS, p.DB.IDS.Entry(entries[0]))
		p.Reportf(l.At(), l.addKey("IDS", nametree.Key(id[:])), "key %v of IDS, at %v, does not lead to this set, whose ID it is", nametree.Key(id[:]), at)
	}
}
