package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var NameMissing = &rule.Rule{
	ID:      "WC531",
	Title:   "A link or outline item leads to a destination if it names one with the ID of a content set.",
	Problem: "Links to captured pages that lead nowhere or elsewhere",
	Cause:   "typical of tools that store identifiers as text",
	Clause:  "ISO 32000-2:2020, 14.10.3.4 and 12.3.2.4",
	Level:   rule.Error,
	Doc: "Links between captured pages name destinations that contain the ID of the page set. Acrobat puts the ID " +
		"before the name, the standard after it. IDs are bytes. A tool that treats names as text changes them and " +
		"breaks every such link.",
	Repair: "If Dests has the name stored as text, change that key back to the name.",
	Basis: rule.Basis{
		Wrong:     "A link names a destination that Dests has only as text",
		Right:     "The transformation, which turns the name into the key, never the reverse",
		Otherwise: "The link is kept",
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
		p.Reportf(at, fix, "the destination %v %s the ID of a content set, %v, but is not in Dests", nametree.Key(name),
			where(m.Place), nametree.Key(m.ID[:]))
	}
}
