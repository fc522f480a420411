package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var maskID = &rule.Rule{
	ID:      "WC526",
	Title:   "A soft mask has no ID.",
	Problem: "Soft masks with an ID",
	Clause:  "ISO 32000-2:2020, 11.6.5.2, table 143",
	Level:   rule.Note,
	Doc: "Viewers ignore the ID of an image that serves as a soft mask. Only the ID of the image itself " +
		"counts.",
	Repair:     "None: it does no harm.",
	MayFollow:  []rule.Action{rule.Rebuild},
	CheckImage: checkMaskID,
}

func checkMaskID(p *rule.Pass, im *rule.Image, doc *rule.Document) {
	mask, ok := im.Dict.Lookup("SMask").Ref()
	if !ok || doc.Members.Has(mask) { // other rules report masks that are members
		return
	}
	at := rule.Place{Object: mask}
	o, _ := p.Look(at, object.MakeRef(mask))
	d, _ := o.Dict()
	if id := d.Lookup("ID"); !id.IsNull() {
		p.Reportf(at, nil, "the soft mask has an ID, which viewers ignore")
	}
}
