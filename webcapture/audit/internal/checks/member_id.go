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
	Repair: "With --prefer data, make the MD5 of an image the ID of its set and of the key, if the image carries it.",
	Basis: rule.Basis{
		Wrong: "A member carries another ID than its set",
		Right: "The user: --prefer data, if the ID of the member is the MD5 of the image, and no name " +
			"contains that of the set",
		Otherwise: "Both IDs are kept",
	},
	Action:      rule.RecomputeID,
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
		var fix *rule.Fix
		remedy := ""
		if t == webcapture.ImageSet {
			if data, problem := dataID(p, in.Set); problem == "" && data.New == key {
				fix, remedy = preferredData(p, in.Set)
				remedy = "; the MD5 of the image is that of the member: " + remedy
			}
		}
		p.Reportf(m.At(in), fix, "the member has the ID %v, its set has the ID %v%s", key, nametree.Key(in.ID[:]), remedy)
	}
}
