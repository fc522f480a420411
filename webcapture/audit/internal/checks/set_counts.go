package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setCounts = &rule.Rule{
	ID:      "WC418",
	Title:   "R of an image set holds integers that are not negative.",
	Problem: "Reference counts of image sets are not whole numbers",
	Clause:  "ISO 32000-2:2020, 14.10.4.3, table 390",
	Level:   rule.Error,
	Doc: "R counts the pages that refer to each image. When a page is deleted the counts of its images " +
		"go down, and at 0 an image may leave the set; any other count never gets there.",
	Repair:   "None: what Acrobat counted is not what can be counted later.",
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
