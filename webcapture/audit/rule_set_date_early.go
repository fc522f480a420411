package audit

var setDateEarly = &Rule{
	ID:      "WC414",
	Title:   "TS of a content set is not earlier than Web Capture.",
	Problem: "Dates of content sets are earlier than Web Capture",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   Note,
	Doc: "The first program that made content sets, Acrobat 4, came out in 1999. An earlier date is " +
		"that of a clock that was wrong.",
	Repair:   "None.",
	CheckSet: checkSetDateEarly,
}

func checkSetDateEarly(p *Pass, s *Set) {
	if t, ok := p.date(s, s.TS); ok && t.Year() < 1999 {
		p.Reportf(s.At(), nil, "TS is %s, but there were no content sets before 1999", t.Format(iso))
	}
}
