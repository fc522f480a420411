package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setID = &rule.Rule{
	ID:       "WC402",
	Title:    "ID of a content set is a string of 16 bytes.",
	Problem:  "IDs of content sets are not strings of 16 bytes",
	Clause:   "ISO 32000-2:2020, 14.10.4, table 388",
	Level:    rule.Error,
	Doc:      "The digital identifier connects the set with its members and with its entry in IDS.",
	Repair:   "None: nothing in the file proves what the ID was.",
	CheckSet: checkSetID,
}

func checkSetID(p *rule.Pass, s *rule.Set) {
	if !s.ID.OK() {
		p.Reportf(s.At(), nil, "ID is %v, not a string", Describe(p, s.ID.Object))
		return
	}
	if len(s.ID.Bytes) != len(digest.ID{}) {
		p.Reportf(s.At(), nil, "ID %v has %d bytes, not 16", nametree.Key(s.ID.Bytes), len(s.ID.Bytes))
	}
}
