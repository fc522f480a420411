package audit

var setCountsZero = &Rule{
	ID:     "WC421",
	Title:  "Images in O are referred to by pages.",
	Clause: "ISO 32000-2:2020, 14.10.4.3; PDF Reference 1.6, implementation note 165",
	Level:  Note,
	Doc: "An image whose count is 0 may be taken out of O. As long as it is there, Acrobat keeps it in " +
		"the file even if nothing shows it. But it may be shown: patterns, such as the background of " +
		"a page, are not counted.",
	Repair:    "On request the image leaves O, and its count R; the image itself stays.",
	OnRequest: true,
	Action:    DropMember,
	CheckSet:  checkSetCountsZero,
}

func checkSetCountsZero(p *Pass, s *Set) {
	c, ok := p.countsOf(s)
	switch {
	case !ok:
		return
	case !c.isArray && c.images > 0 && isZero(c.object):
		p.Reportf(s.At(), dropMember(s.Ref, 0), "R is 0: no page refers to the image, and it may leave O")
	}
	i := 0
	for e := range c.list.All() {
		if o, ok := p.resolve(s, e); ok && i < c.images && isZero(o) {
			p.Reportf(s.At(), dropMember(s.Ref, i), "element %d of R is 0: no page refers to the image, and it may leave O", i)
		}
		i++
	}
}
