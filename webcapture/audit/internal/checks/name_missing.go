package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var NameMissing = &rule.Rule{
	ID:      "WC531",
	Title:   "A link or outline item to a destination that is named with the ID of a content set leads there.",
	Problem: "Links to captured pages lead nowhere or elsewhere",
	Cause:   "as tools leave them that write identifiers as text",
	Clause:  "ISO 32000-2:2020, 14.10.3.4 and 12.3.2.4",
	Level:   rule.Error,
	Doc: "Links between captured pages lead to destinations whose names have the ID of the page set " +
		"before them (by Acrobat) or after them (by the standard). IDs are bytes; a tool that takes names for text " +
		"changes them, and every such link is dead.",
	Repair: "If Dests has the name as a tool wrote it that took it for text, that key becomes the name again.",
	Evidence: rule.Evidence{
		Contradiction: "The name of a link, and Dests, which has it as a tool wrote it that took it for text",
		Witness:       "The transformation that makes the key of the name, and not the name of the key",
		Undecided:     "The link stays",
	},
	Action:        rule.RenameDestination,
	MayFollow:     []rule.Action{rule.Rebuild},
	CheckPage:     checkPageNameMissing,
	CheckDocument: checkOutlineNameMissing,
}

func checkPageNameMissing(p *rule.Pass, pg *rule.Page, doc *rule.Document) {
	for a := range pg.Annotations(p) {
		checkNameMissing(p, a.At(), a.Dict, doc)
	}
}

func checkOutlineNameMissing(p *rule.Pass, doc *rule.Document) {
	for ref, item := range outlineItems(p) {
		checkNameMissing(p, rule.Place{Object: ref}, item, doc)
	}
}

func checkNameMissing(p *rule.Pass, at rule.Place, from object.Dict, doc *rule.Document) {
	name := goToName(p, at, from)
	m, ok := digest.Split(name, setTest(doc, p))
	if !ok {
		return
	}
	if dests := destinationsOf(p); dests.whole && !dests.has(name) {
		var fix *rule.Fix
		if key, ok := dests.transcoded(name); ok {
			fix = &rule.Fix{Action: rule.RenameDestination, Old: key, New: nametree.Key(name)}
		}
		p.Reportf(at, fix, "the destination %v %s the ID of a content set, %v, and is not in Dests", nametree.Key(name),
			where(m.Place), nametree.Key(m.ID[:]))
	}
}
