package audit

var idMissingMember = &Rule{
	ID:      "WC305",
	Title:   "The ID of a content set whose members carry it is a key of IDS.",
	Problem: "Content sets whose pages or images carry their ID cannot be found by it",
	Clause:  "ISO 32000-2:2020, 14.10.3.3 and 14.10.6",
	Level:   Error,
	Doc: "The only way from a page or image to its content set is its ID, looked up in the tree. The " +
		"members of this set have that ID, and it leads nowhere.",
	Repair:     "An entry is added with the ID as key.",
	Action:     AddKey,
	CheckLinks: checkIDMissingMember,
}

func checkIDMissingMember(p *Pass, l *Links) {
	if key, ok := missingID(p, l); ok && p.memberHas(l.Set) {
		p.Reportf(l.At(), l.addKey("IDS", key), "ID %v is not a key of IDS, but members of the set carry it", key)
	}
}
