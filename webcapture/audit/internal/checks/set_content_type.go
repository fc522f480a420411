package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setContentType = &rule.Rule{
	ID:      "WC411",
	Title:   "CT of a content set is a media type.",
	Problem: "Content types that are not media types",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388; RFC 2045, 5.1",
	Level:   rule.Warning,
	Doc: "CT describes the source in the form of a Content-Type header: type/subtype, then parameters after " +
		"semicolons. A refresh compares it with the header that the server sends.",
	Repair:   "None.",
	CheckSet: checkSetContentType,
}

func checkSetContentType(p *rule.Pass, s *rule.Set) {
	var buf [64]byte
	b, ok := stringIn(p, s, s.CT, buf[:0])
	if !ok {
		return
	}
	if fault := MediaFault(b); fault != "" {
		p.Reportf(s.At(), nil, "CT %v is not a media type: %s", shown(b), fault)
	}
}
