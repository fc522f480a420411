package checks

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var memberID = &rule.Rule{
	ID:      "WC508",
	Title:   "If a member of a content set carries an ID, it is the ID of the set.",
	Problem: "Pages or images with another ID than their content set",
	Clause:  "ISO 32000-2:2020, 14.10.6",
	Level:   rule.Error,
	Doc: "A viewer finds the content set of a page or image only by looking up its ID in IDS. This ID leads to " +
		"another set, or nowhere.",
	Repair:      "None: names in the document may depend on the ID.",
	MayFollow:   []rule.Action{rule.ChangeID}, // the set may get an ID
	CheckMember: checkMemberID,
}

func checkMemberID(p *rule.Pass, m *rule.Member, doc *rule.Document) {
	id, ok := rule.Identifier(m.ID)
	if !ok {
		return
	}
	key := nametree.Key(id[:])
	for _, t := range []webcapture.Subtype{webcapture.PageSet, webcapture.ImageSet} {
		in, ok := m.First(t)
		if !ok || !in.HasID || !m.Fits(t, doc) || slices.ContainsFunc(m.In, m.Carries) {
			continue
		}
		if p.DB.IDS != nil {
			if where, _ := findEntries(p, p.DB.IDS, []string{string(key)}, in.Set); where == here {
				continue // the set's own ID is wrong; the rule for its entry reports that
			}
		}
		p.Reportf(m.At(in), nil, "the member has the ID %v, its set has the ID %v", key, nametree.Key(in.ID[:]))
	}
}
