package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idMissing = &rule.Rule{
	ID:      "WC304",
	Title:   "The ID of a content set is a key of IDS.",
	Problem: "Content sets cannot be found by their ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Warning,
	Doc: "The mapping from identifiers may be left out, but where the tree exists, a set that is not in " +
		"it is not found by its pages and images.",
	Repair: "An entry is added with the ID as key, unless the pages and images of the set carry another one. An ID that " +
		"is not the MD5 of the image becomes it, if the image carries that.",
	Evidence: rule.Evidence{
		Contradiction: "The ID of a content set, and IDS, which does not have it",
		Witness: "Members do not carry another ID (else --prefer sets), and the MD5 of its image is the ID or not known; " +
			"no copy of the set has as much support. The ID changes only to the MD5 of an image that carries it",
		Undecided: "The set stays without the key",
	},
	Action:    rule.AddKey,
	SetAction: rule.ChangeID,
	// After WC225, when the key led to nothing, and after WC523, which gives no key to an ID that is in dispute.
	MayFollow:  []rule.Action{rule.RemoveEntry, rule.BuildIDS, rule.ChangeID},
	CheckLinks: checkIDMissing,
}

func checkIDMissing(p *rule.Pass, l *rule.Links) {
	if key, ok := missingID(p, l); ok && !memberHas(p, l.Set) {
		fix, why := fixMissingID(p, l, key)
		p.Reportf(l.At(), fix, "ID %v is not a key of IDS%s", key, why)
	}
}
