package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var carrierID = &rule.Rule{
	ID:         "WC520",
	Title:      "The ID of a page or image is a string of 16 bytes.",
	Problem:    "Page or image IDs that are not strings of 16 bytes",
	Clause:     "ISO 32000-2:2020, 14.10.6 and tables 31 and 87",
	Level:      rule.Error,
	Doc:        "A viewer looks up the ID in IDS, whose keys have 16 bytes. Any other string leads nowhere.",
	Repair:     "None: nothing in the file proves the right ID.",
	MayFollow:  []rule.Action{rule.Rebuild, rule.ChangeID},
	CheckPage:  checkPageID,
	CheckImage: checkImageID,
}

func checkPageID(p *rule.Pass, pg *rule.Page, doc *rule.Document) {
	checkCarrierID(p, pg.At(), pg.Ref, pg.ID, doc)
}

func checkImageID(p *rule.Pass, im *rule.Image, doc *rule.Document) {
	checkCarrierID(p, im.At(), im.Ref, im.ID, doc)
}

func checkCarrierID(p *rule.Pass, at rule.Place, ref object.Ref, id webcapture.String, doc *rule.Document) {
	if _, ok := rule.Identifier(id); ok || id.Object.IsNull() {
		return
	}
	for _, in := range doc.Members.Of(ref) {
		if !in.HasID {
			return // the ID of its set is wrong too; another rule reports that
		}
	}
	switch {
	case !id.OK():
		p.Reportf(at, nil, "ID is %s, not a string", Describe(p, id.Object))
	default:
		p.Reportf(at, nil, "ID %v has %d bytes, not 16", nametree.Key(id.Bytes), len(id.Bytes))
	}
}
