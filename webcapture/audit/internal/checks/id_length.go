package checks

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var idLength = &rule.Rule{
	ID:      "WC301",
	Title:   "Keys of IDS have 16 bytes.",
	Problem: "Keys of IDS do not have 16 bytes",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc:     "A digital identifier is an MD5 digest. A key of another length is not one, and no viewer looks for it.",
	Repair:  "The key is replaced by the ID of its content set, unless its pages and images carry another one.",
	Evidence: rule.Evidence{
		Contradiction: "A key of another length than 16 bytes, and the ID of its content set",
		Witness: "The ID of the set, where members do not carry another one (else --prefer sets), and the MD5 of its image " +
			"is the ID or not known",
		Undecided: "Both stay",
	},
	Action:     rule.ChangeKey,
	CheckValue: checkIDLength,
}

func checkIDLength(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.IDS || len(v.Key) == len(digest.ID{}) || transcodingOf(v) != nil {
		return
	}
	if keyIsID(v) {
		return // of a content set whose ID has the wrong length
	}
	var fix *rule.Fix
	if s := firstWithID(v); s != nil && !anyIDDisputed(p, v.Sets) {
		fix = fixID(v, s)
	}
	p.Reportf(v.At(), fix, "key %v has %d bytes, not 16", v.Key, len(v.Key))
}
