package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setID = &rule.Rule{
	ID:      "WC402",
	Title:   "ID of a content set is a string of 16 bytes.",
	Problem: "Content set IDs that are not strings of 16 bytes",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc:     "The digital identifier connects the set with its members and with its entry in IDS.",
	Repair: "Use the MD5 of an image as the ID of its set. The image must carry it, or it must be an IDS key of " +
		"the set. No other set with the image may have it. Otherwise nothing in the file proves the right ID.",
	Basis: rule.Basis{
		Wrong: "The ID of a content set is not 16 bytes long; the standard requires this",
		Right: "Proof: the MD5 of an image. The image carries it, or it is an IDS key of the set. No other set " +
			"with the image has it",
		Otherwise: "The ID is kept: nothing in the file proves the right one",
	},
	Action:     rule.ChangeID,
	CheckLinks: checkSetID,
}

func checkSetID(p *rule.Pass, l *rule.Links) {
	s := l.Set
	if !s.ID.OK() {
		p.Reportf(s.At(), provenID(p, s), "ID is %v, not a string", Describe(p, s.ID.Object))
		return
	}
	if len(s.ID.Bytes) != len(digest.ID{}) {
		p.Reportf(s.At(), provenID(p, s), "ID %v has %d bytes, not 16", nametree.Key(s.ID.Bytes), len(s.ID.Bytes))
	}
}
