package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setCountsZero = &rule.Rule{
	ID:      "WC421",
	Title:   "Images in O are referred to by pages.",
	Problem: "Images of content sets are not shown by any page",
	Clause:  "ISO 32000-2:2020, 14.10.4.3; PDF Reference 1.6, implementation note 165",
	Level:   rule.Note,
	Doc: "An image whose count is 0 may be taken out of O. As long as it is there, Acrobat keeps it in " +
		"the file even if nothing shows it. Acrobat counts what the resources of pages and of forms refer to. " +
		"An image that only a pattern shows, such as the background of a page, has the count 0 as well: it " +
		"is on the page, and has to stay.",
	Repair: "On request an image that neither resources nor patterns refer to leaves O, and its count R; the " +
		"image itself stays.",
	Evidence: rule.Evidence{
		Contradiction: "An image of a set, and the pages, which do not show it",
		Witness:       "The user, who names the rule",
		Undecided:     "The image stays in O",
	},
	OnRequest:   true,
	Action:      rule.DropMember,
	CheckMember: checkSetCountsZero,
}

func checkSetCountsZero(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if !doc.Counted || !m.IsImage() || doc.Uses(m.Ref) > 0 {
		return
	}
	for _, in := range m.In {
		switch {
		case in.Subtype != webcapture.ImageSet || in.Count != 0:
		case doc.ShownByPattern(m.Ref):
			p.Reportf(m.At(in), nil, "R of the image is 0: only a pattern shows it, and Acrobat does not count patterns")
		default:
			p.Reportf(m.At(in), dropMember(in.Set, in.Index),
				"R of the image is 0: counted as Acrobat counts, by resources of pages and forms, no page refers to the image")
		}
	}
}
