package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var textIDLength = &rule.Rule{
	ID:      "WC416",
	Title:   "TID of a page set is a string of 16 bytes.",
	Problem: "Text identifiers that are not strings of 16 bytes",
	Clause:  "ISO 32000-2:2020, 14.10.4.2, table 389; 14.10.3.3",
	Level:   rule.Warning,
	Doc: "The text identifier is the MD5 digest of the text of the source. A refresh that compares only text " +
		"compares this digest with a new one.",
	Repair:   "None: nothing in the file proves the right digest.",
	CheckSet: checkTextIDLength,
}

func checkTextIDLength(p *rule.Pass, s *rule.Set) {
	if s.Subtype != webcapture.PageSet {
		return
	}
	var buf [16]byte
	if b, ok := stringIn(p, s, s.TID, buf[:0]); ok && len(b) != len(digest.ID{}) {
		p.Reportf(s.At(), nil, "TID %v has %d bytes, not 16", shown(b), len(b))
	}
}
