package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var carrierNoTree = &rule.Rule{
	ID:      "WC523",
	Title:   "If pages carry IDs, IDS has entries.",
	Problem: "Page IDs without any entries in IDS",
	Cause:   "typical of tools that copy pages without the database",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.6",
	Level:   rule.Warning,
	Doc: "Either of the two trees may be absent. But a viewer finds the content set of a page only by looking up " +
		"its ID in IDS.",
	Repair: "Build IDS from the content sets that URLS leads to. Omit sets whose pages and images carry another ID.",
	Basis: rule.Basis{
		Wrong: "Pages carry IDs, but IDS is missing or empty",
		Right: "IDs of the content sets that URLS leads to, each if its members and images do not contradict it, " +
			"and no other set of its kind has it or one of its members",
		Otherwise: "Sets without such an ID get no key (WC304). If none has one, IDS is not built",
	},
	Action:        rule.BuildIDS,
	MayFollow:     []rule.Action{rule.RemoveEntry, rule.RemoveSet, rule.Rebuild},
	CheckDocument: checkCarrierNoTree,
}

func checkCarrierNoTree(p *rule.Pass, doc *rule.Document) {
	if doc.Tagged == 0 || !isEmpty(p.DB.IDS) || p.Audit.Lost.Load() {
		return
	}
	at, what := rule.Place{}, "there is no IDS"
	if t := p.DB.IDS; t != nil {
		for d := range t.Defects() {
			if d.Kind != nametree.NeitherKidsNorNames {
				return // the tree is broken; another rule reports that
			}
		}
		at, what = (&rule.Tree{Tree: t}).At(), "IDS has no entries"
	}
	fix := &rule.Fix{Action: rule.BuildIDS}
	if !canBuildIDS(p) {
		fix, what = nil, what+", and no content set in URLS has an undisputed ID; use --from or --rebuild"
	}
	p.Reportf(at, fix, "pages with an ID: %d of %d, but %s", doc.Tagged, doc.Pages, what)
}

// canBuildIDS reports whether URLS has a content set that would get a key in IDS.
func canBuildIDS(p *rule.Pass) bool {
	if isEmpty(p.DB.URLS) {
		return false
	}
	for _, e := range p.DB.URLS.Entries() {
		for s := range setsIn(p, e.Value) {
			if len(ownKeys(p, webcapture.IDS, s)) > 0 {
				return true
			}
		}
	}
	return false
}
