package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setTitle = &rule.Rule{
	ID:      "WC417",
	Title:   "T of a page set is a text string.",
	Problem: "Page set titles that are not text",
	Clause:  "ISO 32000-2:2020, 14.10.4.2, table 389; 7.9.2.2",
	Level:   rule.Error,
	Doc: "T is the title that viewers show. They show bytes that are invalid in its encoding as arbitrary " +
		"characters.",
	Repair:   "None.",
	CheckSet: checkSetTitle,
}

func checkSetTitle(p *rule.Pass, s *rule.Set) {
	if s.Subtype != webcapture.PageSet {
		return
	}
	var buf [128]byte
	b, ok := stringIn(p, s, s.T, buf[:0])
	if !ok {
		return
	}
	if fault := TextFault(b); fault != "" {
		p.Reportf(s.At(), nil, "T %v is not a text string: %s", shown(b), fault)
	}
}
