package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setCountsLength = &rule.Rule{
	ID:      "WC420",
	Title:   "R of an image set has a count for each image in O.",
	Problem: "Image sets without a reference count for each image",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Error,
	Doc: "R has one count for each element of O. If their lengths differ, it is unknown which count belongs " +
		"to which image.",
	Repair:   "None.",
	CheckSet: checkSetCountsLength,
}

func checkSetCountsLength(p *rule.Pass, s *rule.Set) {
	c, ok := p.Counts(s)
	switch {
	case !ok:
	case c.IsArray:
		if n := c.List.Len(); n != c.Images {
			p.Reportf(s.At(), nil, "R has the length %d, O has the length %d", n, c.Images)
		}
	case c.Images != 1:
		p.Reportf(s.At(), nil, "R is an integer, but O has the length %d; expected an array of that length", c.Images)
	}
}
