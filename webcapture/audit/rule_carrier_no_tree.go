package audit

import "github.com/webcap-tools/webcap/nametree"

var carrierNoTree = &Rule{
	ID:      "WC523",
	Title:   "When pages carry an ID, IDS has entries.",
	Problem: "Pages carry IDs, and IDS is missing or empty",
	Cause:   "as tools leave them that copy pages without the database",
	Clause:  "ISO 32000-2:2020, 14.10.3 and 14.10.6",
	Level:   Warning,
	Doc: "Either of the two trees may be left out. But a page's content set can only be found by its ID in " +
		"IDS.",
	Repair:        "IDS is made from the content sets that URLS leads to.",
	Action:        BuildIDS,
	MayFollow:     []Action{RemoveEntry, RemoveSet, Rebuild},
	CheckDocument: checkCarrierNoTree,
}

func checkCarrierNoTree(p *Pass, doc *Document) {
	if doc.tagged == 0 || !isEmpty(p.DB.IDS) || p.Audit.lost.Load() {
		return
	}
	at, what := Place{}, "there is no IDS to look them up"
	if t := p.DB.IDS; t != nil {
		for d := range t.Defects() {
			if d.Kind != nametree.NeitherKidsNorNames {
				return // the tree is broken, which is reported by itself
			}
		}
		at, what = (&Tree{Tree: t}).At(), "IDS has no entries"
	}
	p.Reportf(at, &Fix{Action: BuildIDS}, "%d of %d pages carry an ID, but %s", doc.tagged, doc.Pages, what)
}
