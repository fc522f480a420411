package audit

import "github.com/webcap-tools/webcap/webcapture"

var urlSetNoSource = &Rule{
	ID:      "WC222",
	Title:   "Every content set in the value of a key of URLS has that URL.",
	Problem: "Keys of URLS lead to content sets of other URLs",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   Warning,
	Doc: "An array value holds the content sets that come from one URL. One that comes from elsewhere is " +
		"in the wrong place.",
	Repair:     "None: it may belong under another key.",
	MayFollow:  []Action{ChangeKey},
	CheckValue: checkURLSetNoSource,
}

func checkURLSetNoSource(p *Pass, v *Value) {
	if v.Tree.Name != webcapture.URLS || !v.known() || v.accepting() == 0 {
		return
	}
	for i, s := range v.Sets {
		if s.Recognized() && s.hasURL() && !s.Accepts(v.Key) {
			p.Reportf(v.At(), nil, "key %v is not a URL of element %d of its value, content set%s, which %s", v.Key, i, refOf(s), comesFrom(v.Sets[i:i+1]))
		}
	}
}
