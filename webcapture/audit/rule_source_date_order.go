package audit

var sourceDateOrder = &Rule{
	ID:      "WC433",
	Title:   "TS of a source is not earlier than that of its content set.",
	Problem: "Sources are older than their content sets",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391; 14.10.4, table 388",
	Level:   Warning,
	Doc: "TS of the set is when it was made from the source, TS of the source when that was last the " +
		"same; making it is the first such time.",
	Repair:   "None.",
	CheckSet: checkSourceDateOrder,
}

func checkSourceDateOrder(p *Pass, s *Set) {
	made, ok := p.date(s, s.TS)
	if !ok || p.future(made) {
		return
	}
	for i := range s.Sources {
		if t, ok := p.date(s, s.Sources[i].TS); ok && t.Before(made) {
			p.Reportf(s.At(), nil, "%vTS is %s, before the set was made, %s", part{set: s, source: i}, t.Format(iso), made.Format(iso))
		}
	}
}
