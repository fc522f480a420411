package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var memberNoID = &Rule{
	ID:      "WC509",
	Title:   "A member of a content set carries the ID of its set.",
	Problem: "Pages or images of content sets carry no ID",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   Warning,
	Doc: "The only way from a page or image to its content set is its ID, looked up in IDS. Without it a " +
		"viewer takes the page or image for one that was not captured.",
	Repair:      "None: an ID is never changed, nor added.",
	MayFollow:   []Action{ChangeKey, AddKey, RestoreKeys, BuildIDS},
	CheckMember: checkMemberNoID,
}

func checkMemberNoID(p *Pass, m *Member, doc *Document) {
	if !m.ID.Object.IsNull() || isEmpty(p.DB.IDS) {
		return
	}
	for _, in := range m.In {
		if in.HasID && m.fits(in.Subtype, doc) && p.inIDS(in.ID) {
			p.Reportf(m.At(in), nil, "the member has no ID, should have that of its set, %v", nametree.Key(in.ID[:]))
			return
		}
	}
}
