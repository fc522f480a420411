package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setDate = &rule.Rule{
	ID:      "WC412",
	Title:   "TS of a content set, and TS and E of its sources, are dates.",
	Problem: "Content sets with an invalid date",
	Clause:  "ISO 32000-2:2020, 7.9.4; 14.10.4, table 388; 14.10.5.1, table 391",
	Level:   rule.Warning,
	Doc: "TS of a set is the date when it was made. TS of a source is the last date when the source was known to be " +
		"unchanged, and E is the date when the content expires. A refresh compares these dates to decide what to " +
		"fetch again.",
	Repair:   "None.",
	CheckSet: checkSetDate,
}

func checkSetDate(p *rule.Pass, s *rule.Set) {
	if fault := dateFault(p, s, s.TS); fault != "" {
		p.Reportf(s.At(), nil, "TS %s (table 388)", fault)
	}
	for i := range s.Sources {
		si, in := &s.Sources[i], part{set: s, source: i}
		if fault := dateFault(p, s, si.TS); fault != "" {
			p.Reportf(s.At(), nil, "%vTS %s (table 391)", in, fault)
		}
		if fault := dateFault(p, s, si.E); fault != "" {
			p.Reportf(s.At(), nil, "%vE %s (table 391)", in, fault)
		}
	}
}

// dateFault describes why a string is not a date; empty if it is one, or if o is not a string.
func dateFault(p *rule.Pass, s *rule.Set, o object.Object) string {
	var buf [32]byte
	b, ok := stringIn(p, s, o, buf[:0])
	if !ok {
		return ""
	}
	_, fault := p.LastDate.Parse(b)
	if fault == "" {
		return ""
	}
	return rule.Short(shown(b)) + " is not a date: " + fault
}
