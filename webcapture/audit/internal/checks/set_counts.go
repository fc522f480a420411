package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setCounts = &rule.Rule{
	ID:      "WC420",
	Title:   "R of an image set has a count of 0 or more for each image in O.",
	Problem: "Image sets without a valid reference count for each image",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Warning,
	Doc: "R counts the pages that refer to each image, with one count for each element of O. If their lengths differ, " +
		"it is unknown which count belongs to which image. When a page is deleted, the counts of its images go down. " +
		"An image with the count 0 may leave the set; an invalid count never reaches 0.",
	Repair:   "None: a new count can differ from what Acrobat counted.",
	CheckSet: checkSetCounts,
}

func checkSetCounts(p *rule.Pass, s *rule.Set) {
	c, ok := p.Counts(s)
	if !ok {
		return
	}
	switch n := c.List.Len(); {
	case c.IsArray && n != c.Images:
		p.Reportf(s.At(), nil, "R has the length %d, O has the length %d (table 390)", n, c.Images)
	case !c.IsArray && c.Images != 1:
		p.Reportf(s.At(), nil, "R is an integer, but O has the length %d; expected an array of that length (table 390)",
			c.Images)
	}
	if !c.IsArray && !isCount(c.Object) {
		p.Reportf(s.At(), nil, "R is %s, not a count (table 390)", Describe(p, c.Object))
	}
	i := 0
	for e := range c.List.All() {
		if o, ok := p.ResolveIn(s, e); ok && !isCount(o) {
			p.Reportf(s.At(), nil, "element %d of R is %s, not a count (table 390)", i, Describe(p, e))
		}
		i++
	}
}
