package checks

import (
	"slices"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var carrierNoTree = &rule.Rule{
	ID:      "WC523",
	Title:   "If pages carry IDs, IDS has entries.",
	Problem: "Page IDs without any entries in IDS",
	Cause:   "typical of tools that copy pages without the database",
	Clause:  "ISO 32000-2:2020, 14.10.3 and 14.10.6",
	Level:   rule.Warning,
	Doc: "Either of the two trees may be absent. But a viewer finds the content set of a page only by looking up " +
		"its ID in IDS.",
	Repair: "Build IDS from the content sets that URLS leads to. Omit sets whose pages and images carry another ID.",
	Evidence: rule.Evidence{
		Contradiction: "Pages carry IDs, but IDS is missing or empty",
		Witness: "IDs of the content sets that URLS leads to, if members carry no other ID. They do not count " +
			"if a proof gives a set the ID of another one: the MD5 of an image, or a file in the sources",
		Undecided: "Sets without such an ID get no key (WC304). If none has one, IDS is not built",
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
	var fix *rule.Fix
	switch {
	case !canBuildIDS(p):
		what += ", and no content set in URLS has an undisputed ID; use --from or --rebuild"
	case areIDsExchanged(p):
		what += "; a proof gives a content set the ID of another one, so no ID is certain; " + remedyOriginal
	default:
		fix = &rule.Fix{Action: rule.BuildIDS}
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

// areIDsExchanged reports whether a proof gives a content set in URLS the ID of another one there that has no proof
// itself. A proof is the MD5 of an image, or the data that sources have for the URL. Then no ID is certain, even if
// members have the same IDs.
func areIDsExchanged(p *rule.Pass) bool {
	var unproven []*rule.Set // content sets to which a proof may give another ID
	ids := map[digest.ID]bool{}
	for _, e := range p.DB.URLS.Entries() {
		for s := range setsIn(p, e.Value) {
			if s == nil || !s.Recognized() {
				continue
			}
			id, _ := s.Identifier()
			sums := imageDigests(p, s)
			if slices.Contains(sums, id) || p.Retrieved(s, only(id)) {
				continue
			}
			ids[id] = true
			if len(sums) > 0 || p.Audit.Witness != nil {
				unproven = append(unproven, s)
			}
		}
	}
	return slices.ContainsFunc(unproven, func(s *rule.Set) bool {
		id, _ := s.Identifier()
		isOther := func(sum digest.ID) bool { return sum != id && ids[sum] }
		return slices.ContainsFunc(imageDigests(p, s), isOther) || p.Retrieved(s, isOther)
	})
}
