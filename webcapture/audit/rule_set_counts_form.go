package audit

var setCountsForm = &Rule{
	ID:      "WC419",
	Title:   "R of an image set with one image is an integer.",
	Problem: "The reference count of an image set with one image is an array",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   Note,
	Strict:  Error,
	Doc: "An array is for several images. Acrobat writes one for a single image as well, so every " +
		"reader has to understand it. It is reported only when the letter of the standard counts.",
	Repair:   "None.",
	CheckSet: checkSetCountsForm,
}

func checkSetCountsForm(p *Pass, s *Set) {
	if p.rule.Level != p.rule.Strict {
		return // every image set that Acrobat ever wrote would be reported
	}
	c, ok := p.countsOf(s)
	if ok && c.isArray && c.images == 1 && c.list.Len() == 1 {
		p.Reportf(s.At(), nil, "R is an array, but O has one image: should be an integer")
	}
}
