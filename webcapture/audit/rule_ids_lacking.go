package audit

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

var idsLacking = &Rule{
	ID:     "WC307",
	Title:  "A file whose pages and images carry IDs has IDS.",
	Clause: "ISO 32000-2:2020, 14.10.3.3 and 14.10.6",
	Level:  Warning,
	Doc: "The mapping from identifiers may be left out. But a page or image that carries the ID of its " +
		"content set leads there by that tree only, and the tree is gone: some tool dropped or emptied it.",
	Repair:    "The tree is written anew from the IDs of the content sets.",
	CheckTree: checkIdsLacking,
}

func checkIdsLacking(p *Pass, t *Tree) {
	if t.Name != "URLS" || !lacksIDS(p.DB) {
		return
	}
	const enough = 64 // entries that are looked at; one tells
	for i := range min(t.Len(), enough) {
		for o, err := range p.Reader.Values(t.Entry(i).Value) {
			s := new(Set)
			if err != nil || p.Reader.Read(o, &s.ContentSet) != nil || !s.Recognized() {
				continue
			}
			if id, ok := s.Identifier(); ok && p.memberHas(s) {
				p.Reportf(Place{Tree: "IDS"}, nil, "no entries, but members of content sets carry IDs, such as %v", nametree.Key(id[:]))
				return
			}
		}
	}
}

// lacksIDS reports whether there is no entry in IDS, and no other reason for
// that than that the tree is not there, or empty.
func lacksIDS(db *webcapture.Database) bool {
	if db.IDS == nil {
		return true
	}
	for _, d := range db.IDS.Defects() {
		if d.Kind != nametree.NeitherKidsNorNames {
			return false
		}
	}
	return db.IDS.Len() == 0
}
