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
		Witness:       "Agreement: the set and its members",
	},
	Action:     rule.AddKey,
	CheckLinks: checkIDMissingMember,
}

func checkIDMissingMember(p *rule.Pass, l *rule.Links) {
	if key, ok := missingID(p, l); ok && memberHas(p, l.Set) {
		p.Reportf(l.At(), keyFor(l, "IDS", key), "ID %v is not a key of IDS, but members of the set carry it", key)
	}
}
