package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var CarrierOrphan = &rule.Rule{
	ID:      "WC522",
	Title:   "A page or image is in O of a content set that its ID leads to.",
	Problem: "Pages or images missing from their content set",
	Cause:   "typical of tools that create new page objects",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   rule.Error,
	Doc: "A content set has the ID of the page or image, but does not list it. When a viewer updates or deletes " +
		"the set, this page or image stays behind.",
	Repair: "If nothing that O lists is left, fill O with the pages or images that carry the ID, in page order. If O " +
		"lists a page outside the page tree or an unused image, replace it by its copy: the only page or image with " +
		"the same ID and the same data. Otherwise the place in O is unknown.",
	Basis: rule.Basis{
		Wrong: "A content set has the ID of a page or image, but its O does not list it",
		Right: "The ID, and an O that leads to nothing, or an unused element with the same data. R has the number " +
			"of pages that show the image, or no count",
		Otherwise: "Nothing is added to O",
	},
	Action:        rule.ReplaceMember,
	MayFollow:     []rule.Action{rule.ChangeKey, rule.RemoveEntry, rule.RemoveSet, rule.Rebuild},
	CheckDocument: checkCarrierOrphan,
}

func checkCarrierOrphan(p *rule.Pass, doc *rule.Document) {
	if p.Audit.Lost.Load() {
		return // unreadable content sets are reported separately
	}
	for _, c := range doc.Carriers {
		if exists, listed := doc.Members.Known(c.ID); !exists || !listed { // reported separately
			continue
		}
		var fix *rule.Fix
		if at, ok := doc.Vacancies[c.Ref]; ok {
			fix = &rule.Fix{Action: rule.ReplaceMember, Set: at.Set, Index: at.Index}
		}
		p.Reportf(c.At, fix, "a content set has the ID %v, but no set lists the object in O", nametree.Key(c.ID[:]))
	}
}
