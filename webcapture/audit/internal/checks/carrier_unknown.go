package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var CarrierUnknown = &rule.Rule{
	ID:      "WC521",
	Title:   "The ID of a page or image is a string of 16 bytes, and a key of IDS.",
	Problem: "Pages or images whose ID is not in IDS",
	Cause:   "typical of tools that copy pages without the database",
	Clause:  "ISO 32000-2:2020, 14.10.6 and tables 31 and 87",
	Level:   rule.Warning,
	Doc: "A viewer finds the content set of a page or image only by looking up its ID in IDS, whose keys have 16 " +
		"bytes. Any other ID leads nowhere. If the set of an ID is gone, the page was copied from another file, or a " +
		"tool removed a part of the database.",
	Repair:     "None: names in the document may depend on the ID, and nothing in the file proves another one.",
	MayFollow:  []rule.Action{rule.RemoveEntry, rule.RemoveSet, rule.Rebuild, rule.BuildIDS, rule.ChangeID},
	CheckPage:  checkPageUnknown,
	CheckImage: checkImageUnknown,
}

func checkPageUnknown(p *rule.Pass, pg *rule.Page, doc *rule.Document) {
	checkCarrierUnknown(p, pg.At(), pg.Ref, pg.ID, doc)
}

func checkImageUnknown(p *rule.Pass, im *rule.Image, doc *rule.Document) {
	checkCarrierUnknown(p, im.At(), im.Ref, im.ID, doc)
}

func checkCarrierUnknown(p *rule.Pass, at rule.Place, ref object.Ref, stored webcapture.String, doc *rule.Document) {
	id, ok := rule.Identifier(stored)
	if !ok {
		checkCarrierForm(p, at, ref, stored, doc)
		return
	}
	if doc.Members.Has(ref) || !doc.WholeTrees[webcapture.IDS] || inIDS(p, id) {
		return
	}
	if exists, _ := doc.Members.Known(id); !exists { // otherwise, the content set has the wrong key in IDS, or none
		p.Reportf(at, nil, "ID %v is not a key of IDS (14.10.6)", nametree.Key(id[:]))
	}
}

// checkCarrierForm reports an ID that is not a digital identifier.
func checkCarrierForm(p *rule.Pass, at rule.Place, ref object.Ref, id webcapture.String, doc *rule.Document) {
	if id.Object.IsNull() {
		return
	}
	for _, in := range doc.Members.Of(ref) {
		if !in.HasID {
			return // the ID of its set is wrong too; another rule reports that
		}
	}
	if !id.OK() {
		p.Reportf(at, nil, "ID is %s, not a string (tables 31 and 87)", Describe(p, id.Object))
		return
	}
	p.Reportf(at, nil, "ID %v has %d bytes, not 16 (14.10.6)", nametree.Key(id.Bytes), len(id.Bytes))
}
