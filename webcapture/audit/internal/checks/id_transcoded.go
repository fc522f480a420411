package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var IDTranscoded = &rule.Rule{
	ID:      "WC303",
	Title:   "IDS keys are bytes, not text.",
	Problem: "IDS keys stored as text",
	Cause:   "typical of pdfcpu optimize and merge",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   rule.Error,
	Doc: "A tool treated the 16 bytes of the identifier as text and stored that text in another encoding. pdfcpu " +
		"optimize and merge do this with every key. A viewer never finds the entry, but the content set still has " +
		"its true ID.",
	Repair: "Replace the key by the ID of its content set.",
	Evidence: rule.Evidence{
		Contradiction: "A key was stored as text; its content set has an ID",
		Witness:       "The transformation, which turns the ID into the key, never the reverse",
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
