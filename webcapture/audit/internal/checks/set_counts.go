package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setCounts = &rule.Rule{
	ID:      "WC418",
	Title:   "R of an image set holds integers of 0 or more.",
	Problem: "Image sets with invalid reference counts",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Error,
	Doc: "R counts the pages that refer to each image. When a page is deleted, the counts of its images go down. " +
		"An image with the count 0 may leave the set; an invalid count never reaches 0.",
	Repair:   "None: a new count can differ from what Acrobat counted.",
	CheckSet: checkSetCounts,
}

func checkSetCounts(p *rule.Pass, s *rule.Set) {
	c, ok := p.Counts(s)
	switch {
	case !ok:
		return
	case !c.IsArray && !isCount(c.Object):
		p.Reportf(s.At(), nil, "R is %s, not a count", Describe(p, c.Object))
	}
	i := 0
	for e := range c.List.All() {
		if o, ok := p.ResolveIn(s, e); ok && !isCount(o) {
			p.Reportf(s.At(), nil, "element %d of R is %s, not a count", i, Describe(p, e))
		}
		i++
	}
}
