package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var setID = &rule.Rule{
	ID:      "WC402",
	Title:   "ID of a content set is a string of 16 bytes.",
	Problem: "IDs of content sets are not strings of 16 bytes",
	Clause:  "ISO 32000-2:2020, 14.10.4, table 388",
	Level:   rule.Error,
	Doc:     "The digital identifier connects the set with its members and with its entry in IDS.",
	Repair: "The MD5 of an image becomes the ID of its set, if the image carries it, or a key of IDS that leads to " +
		"the set is it, and no other set with the image has it. Else nothing in the file proves what the ID was.",
	Evidence: rule.Evidence{
		Contradiction: "The ID of a content set, and the standard, which demands 16 bytes",
		Witness: "Proof: the MD5 of an image, which the image carries or a key of IDS that leads to the set is, if no " +
			"other set with the image has it",
		Undecided: "The ID stays: nothing in the file proves what it was",
	},
	Action:     rule.ChangeID,
	CheckLinks: checkSetID,
}

func checkSetID(p *rule.Pass, l *rule.Links) {
	s := l.Set
	if !s.ID.OK() {
		p.Reportf(s.At(), fixProvenID(p, s), "ID is %v, not a string", Describe(p, s.ID.Object))
		return
	}
	if len(s.ID.Bytes) != len(digest.ID{}) {
		p.Reportf(s.At(), fixProvenID(p, s), "ID %v has %d bytes, not 16", nametree.Key(s.ID.Bytes), len(s.ID.Bytes))
	}
}
