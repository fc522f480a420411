package audit

import (
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest"
)

var nameForeign = &Rule{
	ID:      "WC530",
	Title:   "Destinations and form fields that are named with an ID have that of a content set.",
	Problem: "Named destinations or fields have the ID of no content set",
	Clause:  "ISO 32000-2:2020, 14.10.3.4",
	Level:   Note,
	Doc: "Names of captured destinations and fields are made unique with the ID of their page set: after " +
		"the name by the standard, before it by Acrobat. Both are accepted. These have an ID that no set " +
		"has: the pages that they were captured with are gone, or came from another file.",
	Repair:        "None: links may depend on the names.",
	MayFollow:     []Action{Rebuild},
	CheckDocument: checkNameForeign,
}

func checkNameForeign(p *Pass, doc *Document) {
	isSet := doc.isSet(p)
	names := foreignNames{}
	for name := range p.destinations().all {
		if !utf8.ValidString(name) { // else it is text
			names.add(name, digest.Splits, isSet)
		}
		if !p.Spend(elementCost) {
			return
		}
	}
	for _, n := range names.sorted() {
		n.report(p, Place{Part: "Dests"}, "destination", "")
	}
	fields := foreignNames{}
	for f := range p.fields() {
		if t, ok := p.lookString(Place{Object: f.ref}, f.dict.Lookup("T")); ok && f.root && t.OK() {
			fields.add(string(t.Bytes), digest.FieldSplits, isSet)
		}
	}
	for _, n := range fields.sorted() {
		n.report(p, Place{Part: "AcroForm"}, "field", "the letters of ")
	}
}
