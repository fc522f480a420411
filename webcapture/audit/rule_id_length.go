package audit

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture"
)

var idLength = &Rule{
	ID:         "WC301",
	Title:      "Keys of IDS have 16 bytes.",
	Problem:    "Keys of IDS do not have 16 bytes",
	Clause:     "ISO 32000-2:2020, 14.10.3.3",
	Level:      Error,
	Doc:        "A digital identifier is an MD5 digest. A key of another length is not one, and no viewer looks for it.",
	Repair:     "The key is replaced by the ID of its content set.",
	Action:     ChangeKey,
	CheckValue: checkIDLength,
}

func checkIDLength(p *Pass, v *Value) {
	if v.Tree.Name != webcapture.IDS || len(v.Key) == len(digest.ID{}) || v.transcoded() != nil {
		return
	}
	if v.isID() {
		return // of a content set whose ID has the wrong length
	}
	var fix *Fix
	if s := v.firstWithID(); s != nil {
		fix = v.fixID(s)
	}
	p.Reportf(v.At(), fix, "key %v has %d bytes, not 16", v.Key, len(v.Key))
}
