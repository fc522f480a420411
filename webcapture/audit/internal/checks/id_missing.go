package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idMissing = &rule.Rule{
	ID:      "WC304",
	Title:   "The ID of a content set is a key of IDS.",
	Problem: "Content sets that cannot be found by their ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Warning,
	Doc:     "IDS may be absent. If it exists, a viewer finds a set by its pages and images only if the ID is a key.",
	Repair: "Add an entry with the ID as key, unless the pages and images of the set carry another ID. If the ID " +
		"is not the MD5 of the image, and the image carries this MD5, change the ID first.",
	Evidence: rule.Evidence{
		Contradiction: "The ID of a content set is not a key of IDS",
		Witness: "Members carry no other ID (otherwise --prefer sets), and the MD5 of its image is the ID or " +
			"unknown. No copy of the set has as much support. The ID changes only to the MD5 of an image that " +
			"carries it",
		Undecided: "The set gets no key",
	},
	Action:    rule.AddKey,
	SetAction: rule.ChangeID,
	// After RemoveEntry, the ID may no longer be a key. BuildIDS gives no key to a disputed ID.
	MayFollow:  []rule.Action{rule.RemoveEntry, rule.BuildIDS, rule.ChangeID},
	CheckLinks: checkIDMissing,
}

func checkIDMissing(p *rule.Pass, l *rule.Links) {
	if key, ok := missingID(p, l); ok && !memberHas(p, l.Set) {
		fix, why := fixMissingID(p, l, key)
		p.Reportf(l.At(), fix, "ID %v is not a key of IDS%s", key, why)
	}
}
