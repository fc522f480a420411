package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlSourceTranscoded = &rule.Rule{
	ID:      "WC227",
	Title:   "A URL of a content set has the bytes of its key, not another encoding of them.",
	Problem: "Content set URLs stored in another encoding",
	Cause:   "typical of tools that treat URLs as text",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 and 14.10.5.1, table 391; 7.9.2",
	Level:   rule.Error,
	Doc: "A tool treated the URL in the source information as text and stored that text in another encoding. The " +
		"key still has the original bytes. If the tool changed both in different ways, only a source can show " +
		"which one is older.",
	Repair:     "None: the key is right, or the right one is unknown.",
	MayFollow:  []rule.Action{rule.ChangeKey},
	CheckValue: checkURLSourceTranscoded,
}

func checkURLSourceTranscoded(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.URLS || isText(&v.Entry) {
		return
	}
	t := transcodingOf(v)
	switch {
	case t == nil || t.keyIsYounger(p, v.Key):
	case t.recorded != nil:
		p.Reportf(v.At(), nil, "the URL %v of the content set is the key %v in another encoding: sources have only the key", shown(t.own), v.Key)
	case t.keyAs == "":
		p.Reportf(v.At(), nil, "the URL %v of the content set is the key %v, treated as text and stored as %s",
			shown(t.own), v.Key, t.ownAs)
	default:
		p.Reportf(v.At(), nil, "key %v and the URL %v of its content set are two encodings of %v: the older one is unknown", v.Key, shown(t.own), shown(t.from))
	}
}
