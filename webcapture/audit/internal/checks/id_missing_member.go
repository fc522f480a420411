package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idMissingMember = &rule.Rule{
	ID:      "WC305",
	Title:   "The ID of a content set whose members carry it is a key of IDS.",
	Problem: "Content sets whose pages or images carry their ID cannot be found by it",
	Clause:  "ISO 32000-2:2020, 14.10.3.3 and 14.10.6",
	Level:   rule.Error,
	Doc: "The only way from a page or image to its content set is its ID, looked up in the tree. The " +
		"members of this set have that ID, and it leads nowhere.",
	Repair: "An entry is added with the ID as key.",
	Evidence: rule.Evidence{
		Contradiction: "The ID of a content set and its members, and IDS, which does not have it",
		Witness:       "Agreement: the set and its members, if no copy of the set has as much support",
	},
	Action:     rule.AddKey,
	MayFollow:  []rule.Action{rule.ChangeID},
	CheckLinks: checkIDMissingMember,
}

func checkIDMissingMember(p *rule.Pass, l *rule.Links) {
	if key, ok := missingID(p, l); ok && memberHas(p, l.Set) {
		fix, why := keyUnlessCopy(p, l, "IDS", key)
		if gatheredMoves(p).refuted {
			fix, why = nil, "; "+whyRefuted+"; "+remedyOriginal
		}
		p.Reportf(l.At(), fix, "ID %v, which members of the set carry, is not a key of IDS%s", key, why)
	}
}
