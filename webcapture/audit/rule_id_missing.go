package audit

var idMissing = &Rule{
	ID:      "WC304",
	Title:   "The ID of a content set is a key of IDS.",
	Problem: "Content sets cannot be found by their ID",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   Warning,
	Doc: "The mapping from identifiers may be left out, but where the tree exists, a set that is not in " +
		"it is not found by its pages and images.",
	Repair:     "An entry is added with the ID as key.",
	Action:     AddKey,
	CheckLinks: checkIDMissing,
}

func checkIDMissing(p *Pass, l *Links) {
	if key, ok := missingID(p, l); ok && !p.memberHas(l.Set) {
		p.Reportf(l.At(), l.addKey("IDS", key), "ID %v is not a key of IDS", key)
	}
}
