package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setType = &rule.Rule{
	ID:      "WC406",
	Title:   "Type of a content set, where it is given, is SpiderContentSet.",
	Problem: "Type of content sets is wrong",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc: "Type is optional, and Acrobat leaves it out. Where another name stands there, a reader that " +
		"goes by it takes the set for something else.",
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
