package audit

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"

	"github.com/webcap-tools/webcap/nametree/object"
)

var carrierUnknown = &Rule{
	ID:      "WC521",
	Title:   "The ID of a page or image is a key of IDS.",
	Problem: "Pages or images carry IDs that IDS does not know",
	Cause:   "as tools leave them that copy pages without the database",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   Warning,
	Doc: "The only way from a page or image to its content set is its ID, looked up in the tree. This one " +
		"comes from a set that is gone: the page was copied from another file, or a tool dropped a part " +
		"of the database.",
	Repair:     "None: names in the document may depend on the ID.",
	MayFollow:  []Action{RemoveEntry, RemoveSet, Rebuild},
	CheckPage:  checkPageUnknown,
	CheckImage: checkImageUnknown,
}

func checkPageUnknown(p *Pass, pg *Page, doc *Document) {
	checkCarrierUnknown(p, pg.At(), pg.Ref, pg.ID, doc)
}

func checkImageUnknown(p *Pass, im *Image, doc *Document) {
	checkCarrierUnknown(p, im.At(), im.Ref, im.ID, doc)
}

func checkCarrierUnknown(p *Pass, at Place, ref object.Ref, stored webcapture.String, doc *Document) {
	id, ok := identifier(stored)
	if !ok || doc.members.has(ref) || !doc.whole[webcapture.IDS] || p.inIDS(id) {
		return
	}
	if exists, _ := doc.members.known(id); !exists { // else that set's ID is missing in IDS, or stands there under another key
		p.Reportf(at, nil, "ID %v is not a key of IDS", nametree.Key(id[:]))
	}
}
