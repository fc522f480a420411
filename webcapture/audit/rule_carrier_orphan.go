package audit

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"

	"github.com/webcap-tools/webcap/nametree/object"
)

var carrierOrphan = &Rule{
	ID:      "WC522",
	Title:   "A page or image is in O of a content set that its ID leads to.",
	Problem: "Pages or images are missing from the content set of their ID",
	Cause:   "as tools leave them that make new objects of pages",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   Error,
	Doc: "A set with the page's or image's ID is there, and does not have it. When the set is updated or " +
		"deleted, this page or image stays behind.",
	Repair:     "None: nothing says where in O it was.",
	MayFollow:  []Action{ChangeKey, RemoveEntry, RemoveSet, Rebuild},
	CheckPage:  checkPageOrphan,
	CheckImage: checkImageOrphan,
}

func checkPageOrphan(p *Pass, pg *Page, doc *Document) {
	checkCarrierOrphan(p, pg.At(), pg.Ref, pg.ID, doc)
}

func checkImageOrphan(p *Pass, im *Image, doc *Document) {
	checkCarrierOrphan(p, im.At(), im.Ref, im.ID, doc)
}

func checkCarrierOrphan(p *Pass, at Place, ref object.Ref, stored webcapture.String, doc *Document) {
	id, ok := identifier(stored)
	if !ok || ref.Num == 0 || doc.members.has(ref) {
		return
	}
	// A set whose O is not an array, or that could not be read, is reported by itself.
	if exists, listed := doc.members.known(id); exists && listed && !p.run.lost.Load() {
		p.Reportf(at, nil, "ID %v is that of a content set, but no set has the object in O", nametree.Key(id[:]))
	}
}
