package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberImage = &rule.Rule{
	ID:      "WC503",
	Title:   "A member of an image set is an image XObject.",
	Problem: "Image sets that list objects other than images",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Error,
	Doc: "O of an image set lists the images that were made from one file. When a viewer needs the file again, it " +
		"shows these objects and does not fetch the file.",
	Repair:      "None: the intended image is unknown.",
	MayFollow:   []rule.Action{rule.OwnObject}, // the place of the content set changes
	CheckMember: checkMemberImage,
}

func checkMemberImage(p *rule.Pass, m *rule.Member, _ *rule.Document) {
	in, ok := m.First(webcapture.ImageSet)
	if ok && !m.Object.IsNull() && !m.IsImage() {
		p.Reportf(m.At(in), nil, "the member of an image set is %s, not an image XObject", describeMember(p, m))
	}
}
