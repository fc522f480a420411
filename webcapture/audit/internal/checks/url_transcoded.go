package checks

import (
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlTranscoded = &rule.Rule{
	ID:      "WC226",
	Title:   "A key of URLS has the bytes of the URL, not another encoding of them.",
	Problem: "Keys of URLS were written in another encoding",
	Cause:   "as tools write them that take URLs for text",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; 7.9.2",
	Level:   rule.Error,
	Doc: "A tool took the URL for text and wrote that text in another encoding, while the source " +
		"information of the content set still has its bytes. A viewer looks for these, and finds nothing. So it " +
		"is, too, where both were written anew, and other keys show how keys were. Sources that have the URL of one of the two tell which is older.",
	Repair: "The key is replaced by the canonical form of the URL that the content set has, or that sources have.",
	Evidence: rule.Evidence{
		Contradiction: "A key, and the URL of its content set, in two encodings",
		Witness: "A source that has one of them; else the transformation, which leads from one to the other and not " +
			"back",
		Undecided: "Both stay (WC227)",
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
