package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var CarrierOrphan = &rule.Rule{
	ID:      "WC522",
	Title:   "A page or image is in O of a content set that its ID leads to.",
	Problem: "Pages or images are missing from the content set of their ID",
	Cause:   "as tools leave them that make new objects of pages",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   rule.Error,
	Doc: "A set with the page's or image's ID is there, and does not have it. When the set is updated or " +
		"deleted, this page or image stays behind.",
	Repair: "It takes the place of the element of O that is not in the file, or not in use, if there is one such " +
		"element for each, or no other element is left; pages in page order. The count in R must not contradict an " +
		"image. Else nothing says where in O it was.",
	Evidence: rule.Evidence{
		Contradiction: "The ID of a page or image, and O of its content set, which does not have it",
		Witness: "The ID, and an element of O that leads to nothing: one for each page or image, or no other element " +
			"is left. R has the number of pages that show the image, or no count",
		Undecided: "O stays",
	},
	Action:        rule.ReplaceMember,
	MayFollow:     []rule.Action{rule.ChangeKey, rule.RemoveEntry, rule.RemoveSet, rule.Rebuild},
	CheckDocument: checkCarrierOrphan,
}

func checkCarrierOrphan(p *rule.Pass, doc *rule.Document) {
	if p.Audit.Lost.Load() {
		return // a set that could not be read is reported by itself
	}
	for _, c := range doc.Carriers {
		if exists, listed := doc.Members.Known(c.ID); !exists || !listed { // and so is a set whose O is not an array
			continue
		}
		var fix *rule.Fix
		if at, ok := doc.Vacancies[c.Ref]; ok {
			fix = &rule.Fix{Action: rule.ReplaceMember, Set: at.Set, Index: at.Index}
		}
		p.Reportf(c.At, fix, "ID %v is that of a content set, but no set has the object in O", nametree.Key(c.ID[:]))
	}
}
