package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var IDTranscoded = &rule.Rule{
	ID:      "WC303",
	Title:   "Keys of IDS are bytes, not text.",
	Problem: "Keys of IDS were written as text",
	Cause:   "as pdfcpu optimize and merge write them",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc: "A tool took the 16 bytes of the identifier for text and wrote that text in another encoding. " +
		"pdfcpu optimize and merge do so with every key. No viewer finds the entry, but the content set " +
		"still has its true ID.",
	Repair: "The key is replaced by the ID of its content set.",
	Evidence: rule.Evidence{
		Contradiction: "A key that was written as text, and the ID of its content set",
		Witness:       "The transformation that makes the key of the ID, and not the ID of the key",
	},
	Action:     rule.ChangeKey,
	CheckValue: checkIDTranscoded,
}

func checkIDTranscoded(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.IDS {
		return
	}
	if t := transcodingOf(v); t != nil {
		t.reportKey(p, v, "ID", fixID(v, t.set))
	}
}
