package checks

import (
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var nameForeign = &rule.Rule{
	ID:      "WC530",
	Title:   "Destinations and form fields that are named with an ID have that of a content set.",
	Problem: "Named destinations or fields have the ID of no content set",
	Clause:  "ISO 32000-2:2020, 14.10.3.4",
	Level:   rule.Note,
	Doc: "Names of captured destinations and fields are made unique with the ID of their page set: after " +
		"the name by the standard, before it by Acrobat. Both are accepted. These have an ID that no set " +
		"has: the pages that they were captured with are gone, or came from another file.",
	Repair:        "None: links may depend on the names.",
	MayFollow:     []rule.Action{rule.Rebuild},
	CheckDocument: checkNameForeign,
}

func checkNameForeign(p *rule.Pass, doc *rule.Document) {
	isSet := setTest(doc, p)
	names := foreignNames{}
	for name := range destinationsOf(p).all {
		if !utf8.ValidString(name) { // else it is text
			names.add(name, digest.Splits, isSet)
		}
		if !p.Spend(rule.ElementCost) {
			return
		}
	}
	for _, n := range names.sorted() {
		n.report(p, rule.Place{Part: "Dests"}, "destination", "")
	}
	fields := foreignNames{}
	for f := range formFields(p) {
		if t, ok := p.LookString(rule.Place{Object: f.ref}, f.dict.Lookup("T")); ok && f.root && t.OK() {
			fields.add(string(t.Bytes), digest.FieldSplits, isSet)
		}
	}
	for _, n := range fields.sorted() {
		n.report(p, rule.Place{Part: "AcroForm"}, "field", "the letters of ")
	}
}
