package audit

var setCountsLength = &Rule{
	ID:       "WC420",
	Title:    "R of an image set has a count for each image in O.",
	Problem:  "Image sets do not have a reference count for each image",
	Clause:   "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:    Error,
	Doc:      "R is parallel to O. If their lengths differ nobody knows which count is whose.",
	Repair:   "None.",
	CheckSet: checkSetCountsLength,
}

func checkSetCountsLength(p *Pass, s *Set) {
	c, ok := p.countsOf(s)
	switch {
	case !ok:
	case c.isArray:
		if n := c.list.Len(); n != c.images {
			p.Reportf(s.At(), nil, "the length of R is %d, that of O is %d", n, c.images)
		}
	case c.images != 1:
		p.Reportf(s.At(), nil, "R is an integer, but the length of O is %d: should be an array of that length", c.images)
	}
}
