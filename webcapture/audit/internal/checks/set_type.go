package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setType = &rule.Rule{
	ID:      "WC406",
	Title:   "Type of a content set, if present, is SpiderContentSet.",
	Problem: "Content sets with a wrong Type",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc: "Type is optional, and Acrobat omits it. If it has another value, a reader that checks Type does not " +
		"recognize the content set.",
	Repair:   "None.",
	CheckSet: checkSetType,
}

func checkSetType(p *rule.Pass, s *rule.Set) {
	if s.Type.IsNull() {
		return
	}
	o, ok := p.ResolveIn(s, s.Type)
	if ok && o.Kind() == object.Name && !o.IsName("SpiderContentSet") {
		p.Reportf(s.At(), nil, "Type is %s, not SpiderContentSet", Describe(p, o))
	}
}
