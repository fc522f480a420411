package audit

var setEmpty = &Rule{
	ID:      "WC407",
	Title:   "O of a content set is not empty.",
	Problem: "Content sets are empty",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   Warning,
	Doc: "A set without pages or images says that a source was captured of which nothing is left. It " +
		"should have been removed, with its keys, together with its last member.",
	Repair:    "On request the set and its keys are removed.",
	OnRequest: true,
	Action:    RemoveSet,
	MayFollow: []Action{DropMember},
	CheckSet:  checkSetEmpty,
}

func checkSetEmpty(p *Pass, s *Set) {
	if o, ok := s.O.Array(); ok && o.Len() == 0 {
		p.Reportf(s.At(), s.remove(), "O is empty: nothing of the source is left in the file")
	}
}
