package audit

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

var maskID = &Rule{
	ID:         "WC526",
	Title:      "A soft mask has no ID.",
	Problem:    "Soft masks have an ID",
	Clause:     "ISO 32000-2:2020, 11.6.5.2, table 143",
	Level:      Note,
	Doc:        "The ID of an image that serves as soft mask is ignored: only that of the image itself counts.",
	Repair:     "None: it does no harm.",
	MayFollow:  []Action{Rebuild},
	CheckImage: checkMaskID,
}

func checkMaskID(p *Pass, im *Image, doc *Document) {
	mask, ok := im.Dict.Lookup("SMask").Ref()
	if !ok || doc.members.has(mask) { // as a member it is reported by itself
		return
	}
	at := Place{Object: mask}
	o, _ := p.look(at, object.MakeRef(mask))
	d, _ := o.Dict()
	if id := d.Lookup("ID"); !id.IsNull() {
		p.Reportf(at, nil, "the soft mask has an ID, which is ignored")
	}
}
