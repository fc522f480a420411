package checks

import (
	"unicode/utf8"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var nameForeign = &rule.Rule{
	ID:      "WC530",
	Title:   "If the name of a destination or form field contains an ID, a content set has this ID.",
	Problem: "Named destinations or fields with the ID of no content set",
	Clause:  "ISO 32000-2:2020, 14.10.3.4",
	Level:   rule.Note,
	Doc: "Captured destinations and fields get unique names from the ID of their page set. The standard puts the " +
		"ID after the name, Acrobat before it; webcap accepts both. No content set has this ID: its pages are " +
		"gone, or came from another file.",
	Repair:        "None: links may depend on the names.",
	MayFollow:     []rule.Action{rule.Rebuild},
	CheckDocument: checkNameForeign,
}

func checkNameForeign(p *rule.Pass, doc *rule.Document) {
	isSet := setTest(doc, p)
	names := foreignNames{}
	for name := range destinationsOf(p).all {
		if !utf8.ValidString(name) { // otherwise it is text
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
