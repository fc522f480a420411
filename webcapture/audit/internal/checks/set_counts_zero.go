package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setCountsZero = &rule.Rule{
	ID:      "WC421",
	Title:   "Pages refer to the images in O.",
	Problem: "Images of content sets that no page shows",
	Clause:  "ISO 32000-2:2020, 14.10.4.3; PDF Reference 1.6, implementation note 165",
	Level:   rule.Note,
	Doc: "An image with the count 0 may be removed from O. While O lists it, Acrobat keeps it in the file, even if " +
		"no page shows it. Acrobat counts references in the resources of pages and of forms. An image that only a " +
		"pattern shows, such as the background of a page, also has the count 0. It is visible and has to stay.",
	Repair: "If neither resources nor patterns refer to an image, remove it from O, and its count from R. The image " +
		"object stays.",
	Basis: rule.Basis{
		Wrong:     "An image is in a content set, but no page shows it",
		Right:     "The user, by naming the rule",
		Otherwise: "The image stays in O",
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
				"R of the image is 0: neither a page nor its forms list the image as a resource")
		}
	}
}
