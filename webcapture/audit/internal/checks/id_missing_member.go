package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idMissingMember = &rule.Rule{
	ID:      "WC305",
	Title:   "If members of a content set carry its ID, the ID is a key of IDS.",
	Problem: "Content sets that cannot be found by the ID of their pages or images",
	Clause:  "ISO 32000-2:2020, 14.10.3.3 and 14.10.6",
	Level:   rule.Error,
	Doc: "A viewer finds the content set of a page or image only by looking up its ID in IDS. The members of this " +
		"set carry its ID, but the ID leads nowhere.",
	Repair: "Add an entry with the ID as key, if no other set has this ID or the same members.",
	Basis: rule.Basis{
		Wrong:     "The ID of a content set and its members is not a key of IDS",
		Right:     "The ID of the set, if no other set of its kind has it or one of its members",
		Otherwise: "The set gets no key",
	},
	Action:     rule.AddKey,
	MayFollow:  []rule.Action{rule.ChangeID, rule.RemoveEntry}, // the ID may no longer be a key
	CheckLinks: checkIDMissingMember,
}

func checkIDMissingMember(p *rule.Pass, l *rule.Links) {
	if key, where, _ := findOwnID(p, l); where == nowhere && memberHas(p, l.Set) {
		fix, why := addID(p, l, key, nil)
		p.Reportf(l.At(), fix, "ID %v, which members of the set carry, is not a key of IDS%s", key, why)
	}
}
