package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberShared = &rule.Rule{
	ID:      "WC505",
	Title:   "A page is in at most one page set, an image in at most one image set.",
	Problem: "Pages or images in several content sets",
	Clause:  "ISO 32000-2:2020, 14.10.4.2, table 389, 14.10.4.3, table 390, and 14.10.6",
	Level:   rule.Error,
	Doc: "A page or image was made from one source, and has one ID that leads to its content set. If several sets " +
		"list it, an update of one set changes the content of the others.",
	Repair:      "None: only the author knows the right set.",
	MayFollow:   []rule.Action{rule.OwnObject},
	CheckMember: checkMemberShared,
}

func checkMemberShared(p *rule.Pass, m *rule.Member, _ *rule.Document) {
	for _, t := range []webcapture.Subtype{webcapture.PageSet, webcapture.ImageSet} {
		if sets := m.Sets(t); len(sets) > 1 {
			p.Reportf(rule.Place{Object: m.Ref, ID: rule.KnownBy(m.ID)}, nil, "the object is in O of %d %vs (%s), expected one",
				len(sets), t, Some(sets))
		}
	}
}
