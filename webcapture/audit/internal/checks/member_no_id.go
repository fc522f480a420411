package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberNoID = &rule.Rule{
	ID:      "WC509",
	Title:   "A member of a content set carries the ID of its set.",
	Problem: "Members of content sets that carry no ID",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   rule.Warning,
	Doc: "A viewer finds the content set of a page or image only by looking up its ID in IDS. Without an ID, the " +
		"viewer treats the page or image as not captured.",
	Repair: "None: webcap never adds an ID.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.BuildIDS, rule.ChangeID,
		rule.OwnObject}, // findings name the content set then
	CheckMember: checkMemberNoID,
}

func checkMemberNoID(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	if !m.ID.Object.IsNull() || isEmpty(p.DB.IDS) {
		return
	}
	for _, in := range m.In {
		if in.HasID && m.Fits(in.Subtype, doc) && inIDS(p, in.ID) {
			p.Reportf(m.At(in), nil, "the member has no ID, expected the ID of its set, %v", nametree.Key(in.ID[:]))
			return
		}
	}
}
