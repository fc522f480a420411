package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlTranscoded = &rule.Rule{
	ID:      "WC226",
	Title:   "A URLS key has the bytes of the URL, not another encoding of them.",
	Problem: "URLS keys stored in another encoding",
	Cause:   "typical of tools that treat URLs as text",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; 7.9.2",
	Level:   rule.Error,
	Doc: "A tool treated the URL as text and stored that text in another encoding. The source information of the " +
		"content set still has the original bytes. A viewer looks for these bytes and finds nothing. If the tool " +
		"changed both, other keys can show how it changed keys. A source that has one of the two URLs shows which " +
		"one is older.",
	Repair: "Replace the key by the canonical form of the URL that the content set or the sources have.",
	Evidence: rule.Evidence{
		Contradiction: "A key and the URL of its content set are the same text in two encodings",
		Witness: "A source that has one of the two. Otherwise the change of encoding: it leads from one text to the " +
			"other, and never back",
		Undecided: "Both are kept (WC227)",
	},
	Action:     rule.ChangeKey,
	CheckValue: checkURLTranscoded,
}

func checkURLTranscoded(p *rule.Pass, v *rule.Value) {
	if v.Tree.Name != webcapture.URLS || isText(&v.Entry) {
		return
	}
	if t := transcodingOf(v); t != nil && t.keyIsYounger(p, v.Key) {
		url := t.own
		if t.recorded != nil {
			url = t.recorded
		}
		t.reportKey(p, v, "URL", &rule.Fix{Action: rule.ChangeKey, Old: v.Key, New: canonicalKey(url)})
	}
}
