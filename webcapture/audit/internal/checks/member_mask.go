package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberMask = &rule.Rule{
	ID:      "WC504",
	Title:   "A member of an image set is not a soft mask of another image.",
	Problem: "Image sets that list the soft mask of another image",
	Clause:  "ISO 32000-2:2020, 14.10.4.3 and 11.6.5.2",
	Level:   rule.Note,
	Doc: "A soft mask is a part of the image that refers to it. It was not fetched by itself, and viewers ignore " +
		"its ID.",
	Repair: "Remove the mask from O, and its count from R.",
	Basis: rule.Basis{
		Wrong:     "O lists a soft mask",
		Right:     "The user, by naming the rule",
		Otherwise: "The mask stays in O",
	},
	OnRequest:   true,
	Action:      rule.DropMember,
	CheckMember: checkMemberMask,
}

func checkMemberMask(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if in, ok := m.First(webcapture.ImageSet); ok && doc.Masks[m.Ref] {
		p.Reportf(m.At(in), dropMember(in.Set, in.Index),
			"the member of an image set is a soft mask, expected its image")
	}
}
