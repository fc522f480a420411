package audit

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
)

var urlTranscoded = &Rule{
	ID:      "WC226",
	Title:   "A key of URLS has the bytes of the URL, not another encoding of them.",
	Problem: "Keys of URLS were written in another encoding",
	Cause:   "as tools write them that take URLs for text",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; 7.9.2",
	Level:   Error,
	Doc: "A tool took the URL for text and wrote that text in another encoding, while the source " +
		"information of the content set still has its bytes. A viewer looks for these, and finds nothing.",
	Repair:     "The key is replaced by the canonical form of the URL that the content set has.",
	Action:     ChangeKey,
	CheckValue: checkURLTranscoded,
}

func checkURLTranscoded(p *Pass, v *Value) {
	if v.Tree.Name != webcapture.URLS {
		return
	}
	if s, url := v.transcodedURL(); s != nil {
		as, _ := Transcoded(url, keyBytes(v.Key))
		fix := &Fix{Action: ChangeKey, Old: v.Key, New: canonicalKey(url)}
		p.Reportf(v.At(), fix, "key %v is the URL %v of its content set, taken for text and written as %s", v.Key, nametree.Key(url), as)
	}
}
