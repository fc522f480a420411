package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var sourceURLASCII = &rule.Rule{
	ID:      "WC423",
	Title:   "URLs of a source are ASCII.",
	Problem: "Source URLs with bytes that are not ASCII",
	Clause:  "ISO 32000-2:2020, 14.10.5.1, table 391",
	Level:   rule.Warning,
	Doc: "URLs are ASCII strings; other characters are percent-encoded. Readers decode other bytes in different " +
		"ways, and then do not find the key. A URL stored as a text string is not ASCII either.",
	Repair:   "None.",
	CheckSet: checkSourceURLASCII,
}

func checkSourceURLASCII(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		for _, url := range s.Sources[i].URLs() {
			if plain, isText := rule.PlainURL(url); isText { // the rule for its key reports the encoding
				p.Reportf(s.At(), nil, "%vURL %v is %v, stored as a text string", part{set: s, source: i}, shown(url),
					shown(plain))
			} else if at := rule.NotASCII(url); at >= 0 && !underKey(p, s, url) {
				p.Reportf(s.At(), nil, "%vURL %v is not ASCII: %s", part{set: s, source: i}, shown(url), ByteAt(url, at))
			}
		}
	}
}
