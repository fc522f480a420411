package audit

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

var idTranscoded = &Rule{
	ID:      "WC303",
	Title:   "Keys of IDS are bytes, not text.",
	Problem: "Keys of IDS were written as text",
	Cause:   "as pdfcpu optimize and merge write them",
	Clause:  "ISO 32000-2:2020, 14.10.3.3",
	Level:   Error,
	Doc: "A tool took the 16 bytes of the identifier for text and wrote that text in another encoding. " +
		"pdfcpu optimize and merge do so with every key. No viewer finds the entry, but the content set " +
		"still has its true ID.",
	Repair:     "The key is replaced by the ID of its content set.",
	Action:     ChangeKey,
	CheckValue: checkIDTranscoded,
}

func checkIDTranscoded(p *Pass, v *Value) {
	if v.Tree.Name != webcapture.IDS {
		return
	}
	if s := v.transcoded(); s != nil {
		as, _ := Transcoded(s.ID.Bytes, keyBytes(v.Key))
		p.Reportf(v.At(), v.fixID(s), "key %v is the ID %v of its content set, taken for text and written as %s", v.Key, nametree.Key(s.ID.Bytes), as)
	}
}
