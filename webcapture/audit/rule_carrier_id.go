package audit

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

var carrierID = &Rule{
	ID:         "WC520",
	Title:      "The ID of a page or image is a string of 16 bytes.",
	Problem:    "IDs of pages or images are not strings of 16 bytes",
	Clause:     "ISO 32000-2:2020, 14.10.6 and tables 31 and 87",
	Level:      Error,
	Doc:        "The ID is looked up in IDS, whose keys have 16 bytes. Any other string leads nowhere.",
	Repair:     "None: an ID is never changed.",
	MayFollow:  []Action{Rebuild},
	CheckPage:  checkPageID,
	CheckImage: checkImageID,
}

func checkPageID(p *Pass, pg *Page, doc *Document) { checkCarrierID(p, pg.At(), pg.Ref, pg.ID, doc) }

func checkImageID(p *Pass, im *Image, doc *Document) { checkCarrierID(p, im.At(), im.Ref, im.ID, doc) }

func checkCarrierID(p *Pass, at Place, ref object.Ref, id webcapture.String, doc *Document) {
	if _, ok := identifier(id); ok || id.Object.IsNull() {
		return
	}
	for _, in := range doc.members.of(ref) {
		if !in.HasID {
			return // the ID of its set is wrong too, which is reported by itself
		}
	}
	switch {
	case !id.OK():
		p.Reportf(at, nil, "ID is %s, not a string", describe(p, id.Object))
	default:
		p.Reportf(at, nil, "ID %v has %d bytes, not 16", nametree.Key(id.Bytes), len(id.Bytes))
	}
}
