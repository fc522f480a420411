package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberType = &rule.Rule{
	ID:      "WC501",
	Title:   "A member of a page set is a page, a member of an image set is an image XObject.",
	Problem: "Content sets that list objects of the wrong type",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388; 14.10.4.2; 14.10.4.3",
	Level:   rule.Error,
	Doc: "O of a page set lists page objects. A viewer that updates or deletes captured content takes each of them " +
		"out of the page tree. O of an image set lists the images that were made from one file. When a viewer needs " +
		"the file again, it shows these objects and does not fetch the file. Here the viewer finds another object.",
	Repair: "Remove the content set itself from its O. Any other object stays: the intended page or image is unknown.",
	Basis: rule.Basis{
		Wrong:     "O lists an object of the wrong type",
		Right:     "The object is the content set itself, so it stands for no page or image",
		Otherwise: "The element is kept",
	},
	Action:      rule.DropMember,
	CheckMember: checkMemberType,
}

func checkMemberType(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if m.Object.IsNull() {
		return
	}
	if in, ok := m.First(webcapture.PageSet); ok && !m.Fits(webcapture.PageSet, doc) {
		p.Reportf(m.At(in), dropItself(m, in), "the member of a page set is %s, not a page (table 389)", describeMember(p, m))
	}
	if in, ok := m.First(webcapture.ImageSet); ok && !m.IsImage() {
		p.Reportf(m.At(in), dropItself(m, in), "the member of an image set is %s, not an image XObject (table 390)",
			describeMember(p, m))
	}
}

// dropItself returns the fix that removes a content set from its own O; nil for any other member.
func dropItself(m *rule.Member, in rule.Membership) *rule.Fix {
	if m.Ref != in.Set {
		return nil
	}
	return dropMember(in.Set, in.Index)
}
