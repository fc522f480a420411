package audit

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"

	"github.com/webcap-tools/webcap/nametree/object"
)

var nameMissing = &Rule{
	ID:      "WC531",
	Title:   "A link or outline item to a destination that is named with the ID of a content set leads there.",
	Problem: "Links to captured pages lead nowhere or elsewhere",
	Cause:   "as tools leave them that write identifiers as text",
	Clause:  "ISO 32000-2:2020, 14.10.3.4 and 12.3.2.4",
	Level:   Error,
	Doc: "Links between captured pages lead to destinations whose names have the ID of the page set " +
		"before them (by Acrobat) or after them (by the standard). IDs are bytes; a tool that takes names for text " +
		"changes them, and every such link is dead.",
	Repair:        "If Dests has the name as a tool wrote it that took it for text, that key becomes the name again.",
	Action:        RenameDestination,
	MayFollow:     []Action{Rebuild},
	CheckPage:     checkPageNameMissing,
	CheckDocument: checkOutlineNameMissing,
}

func checkPageNameMissing(p *Pass, pg *Page, doc *Document) {
	for a := range pg.Annotations(p) {
		checkNameMissing(p, a.At(), a.Dict, doc)
	}
}

func checkOutlineNameMissing(p *Pass, doc *Document) {
	for ref, item := range p.outlines() {
		checkNameMissing(p, Place{Object: ref}, item, doc)
	}
}

func checkNameMissing(p *Pass, at Place, from object.Dict, doc *Document) {
	name := p.goTo(at, from)
	m, ok := digest.Split(name, doc.isSet(p))
	if !ok {
		return
	}
	if dests := p.destinations(); dests.whole && !dests.has(name) {
		var fix *Fix
		if key, ok := dests.transcoded(name); ok {
			fix = &Fix{Action: RenameDestination, Old: key, New: nametree.Key(name)}
		}
		p.Reportf(at, fix, "the destination %v %s the ID of a content set, %v, and is not in Dests", nametree.Key(name), where(m.Place), nametree.Key(m.ID[:]))
	}
}
