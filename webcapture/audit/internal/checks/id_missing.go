package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idMissing = &rule.Rule{
	ID:      "WC304",
	Title:   "The ID of a content set is a key of IDS that leads to the set.",
	Problem: "Content sets that cannot be found by their ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.1 and 14.10.3.3",
	Level:   rule.Warning,
	Doc: "IDS may be absent. If it exists, a viewer finds a set by its pages and images only if the ID is a key, and " +
		"the key leads to this set and not only to others.",
	Repair: "Add an entry with the ID as key, if no other set has this ID or the same members, and its pages and " +
		"images carry no other ID. If the key exists, add the set to its value, which becomes an array.",
	Basis: rule.Basis{
		Wrong: "The ID of a content set is not a key of IDS, or the key leads only to other sets",
		Right: "The ID of the set, if its members and images do not contradict it, and no other set of its kind " +
			"has this ID or one of its members",
		Otherwise: "The set gets no key",
	},
	Action: rule.AddKey,
	// After RemoveEntry, the ID may no longer be a key. BuildIDS gives no key to a disputed ID. A key added or changed
	// for one set may also be the ID of another.
	MayFollow:  []rule.Action{rule.RemoveEntry, rule.BuildIDS, rule.ChangeID, rule.AddKey, rule.ChangeKey},
	CheckLinks: checkIDMissing,
}

func checkIDMissing(p *rule.Pass, l *rule.Links) {
	switch key, where, entries := findOwnID(p, l); {
	case where == nowhere && !memberHas(p, l.Set): // otherwise another rule reports it
		fix, why := addID(p, l, key, nil)
		p.Reportf(l.At(), fix, "ID %v is not a key of IDS (14.10.3.3)%s", key, why)
	case where == elsewhere && l.Ref.Num != 0 && !sameKind(p, l.Set, entries[0]):
		fix, why := addID(p, l, key, entries)
		p.Reportf(l.At(), fix, "key %v of IDS, at %v, is the ID of this set, but does not lead to it (14.10.3.1)%s", key,
			rule.PlaceOf(p.DB.IDS, p.DB.IDS.Entry(entries[0])), why)
	}
}
