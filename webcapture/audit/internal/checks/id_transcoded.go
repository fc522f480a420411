package checks

import (
	"github.com/webcap-tools/webcap/nametree"
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
	Basis: rule.Basis{
		Wrong: "A key was stored as text; its content set has an ID",
		Right: "The transformation, which turns the ID into the key, never the reverse",
	},
	Action:     rule.ChangeKey,
	CheckValue: checkIDTranscoded,
}

func checkIDTranscoded(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.IDS {
		return
	}
	if t := transcodedIDOf(v); t.set != nil {
		id := nametree.Key(t.set.ID.Bytes)
		p.Reportf(v.At(), &rule.Fix{Action: rule.ChangeKey, Old: v.Key, New: id},
			"key %v is the ID %v of its content set, treated as text and stored as %s", v.Key, id, t.as)
	}
}
