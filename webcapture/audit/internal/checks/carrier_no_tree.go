package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var carrierNoTree = &rule.Rule{
	ID:      "WC523",
	Title:   "When pages carry an ID, IDS has entries.",
	Problem: "Pages carry IDs, and IDS is missing or empty",
	Cause:   "as tools leave them that copy pages without the database",
	Clause:  "ISO 32000-2:2020, 14.10.3 and 14.10.6",
	Level:   rule.Warning,
	Doc: "Either of the two trees may be left out. But a page's content set can only be found by its ID in " +
		"IDS.",
	Repair: "IDS is made from the content sets that URLS leads to.",
	Evidence: rule.Evidence{
		Contradiction: "IDs of pages, and IDS, which is missing or empty",
		Witness:       "IDs of the content sets that URLS leads to, where members do not carry another ID",
		Undecided:     "Sets without such an ID get no key",
	},
	Action:        rule.BuildIDS,
	MayFollow:     []rule.Action{rule.RemoveEntry, rule.RemoveSet, rule.Rebuild},
	CheckDocument: checkCarrierNoTree,
}

func checkCarrierNoTree(p *rule.Pass, doc *rule.Document) {
	if doc.Tagged == 0 || !isEmpty(p.DB.IDS) || p.Audit.Lost.Load() {
		return
	}
	at, what := rule.Place{}, "there is no IDS to look them up"
	if t := p.DB.IDS; t != nil {
		for d := range t.Defects() {
			if d.Kind != nametree.NeitherKidsNorNames {
				return // the tree is broken, which is reported by itself
			}
		}
		at, what = (&rule.Tree{Tree: t}).At(), "IDS has no entries"
	}
	p.Reportf(at, &rule.Fix{Action: rule.BuildIDS}, "%d of %d pages carry an ID, but %s", doc.Tagged, doc.Pages, what)
}
