package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idKey = &rule.Rule{
	ID:      "WC302",
	Title:   "An IDS key is the ID of every content set in its value.",
	Problem: "IDS keys that lead to content sets with another ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.3.3",
	Level:   rule.Error,
	Doc: "A viewer looks up the ID of a page or image in IDS. Under another key, it does not find the content set, " +
		"so the page has lost its origin.",
	Repair: "With --prefer sets, make the ID of the set the key. With --prefer data, make the MD5 of the " +
		"image both. Otherwise keep both: each is valid by itself.",
	Basis: rule.Basis{
		Wrong:     "An IDS key differs from the ID of its content set",
		Right:     "The user: --prefer sets, or --prefer data for an image set whose image has one MD5",
		Otherwise: "Both are kept",
	},
	Action:      rule.ChangeKey,
	OtherAction: rule.RecomputeID,
	MayFollow:   []rule.Action{rule.ChangeID}, // a content set may get an ID
	CheckValue:  checkIDKey,
}

func checkIDKey(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.IDS || transcodedIDOf(v).set != nil || len(v.Key) != len(digest.ID{}) {
		return
	}
	for _, s := range v.Sets {
		id, ok := s.Identifier()
		if !ok || !s.Recognized() || nametree.Key(id[:]) == v.Key {
			continue
		}
		fix, why := preferredID(p, v, s, nametree.Key(id[:]))
		p.Reportf(v.At(), fix, "key %v is not the ID of its content set%s, %v: %s", v.Key, refOf(s), nametree.Key(id[:]), why)
	}
}
