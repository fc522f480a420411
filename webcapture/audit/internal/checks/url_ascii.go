package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlASCII = &rule.Rule{
	ID:      "WC201",
	Title:   "URLS keys and URLs of content sets are 7-bit ASCII.",
	Problem: "URLs with bytes that are not ASCII",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; 14.10.5, tables 391 and 392",
	Level:   rule.Warning,
	Doc: "URLs are ASCII strings. Bytes above 127 mean that the URL was never percent-encoded, or that a tool " +
		"stored it as text. Readers decode such bytes in different ways, and then do not find the key.",
	Repair:    "None: the meaning of the bytes is unknown.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLASCII,
	CheckSet:  checkSourceASCII,
}

func checkURLASCII(p *rule.Pass, e *rule.Entry) {
	if isText(e) {
		return
	}
	if i := rule.NotASCII(rule.KeyBytes(e.Key)); i >= 0 {
		p.Reportf(e.At(), nil, "key %v is not ASCII (14.10.3.2): %s", e.Key, rule.ByteAt(rule.KeyBytes(e.Key), i))
	}
}

// checkSourceASCII checks the URLs in the source information of a content set. It skips URLs whose key is reported.
func checkSourceASCII(p *rule.Pass, s *rule.Set) {
	for i := range s.Sources {
		for _, url := range s.Sources[i].URLs() {
			if plain, isText := rule.PlainURL(url); isText { // the rule for its key reports the encoding
				p.Reportf(s.At(), nil, "%vURL %v is %v, stored as a text string (table 391)", part{set: s, source: i}, shown(url),
					shown(plain))
			} else if at := rule.NotASCII(url); at >= 0 && !underKey(p, s, url) {
				p.Reportf(s.At(), nil, "%vURL %v is not ASCII (table 391): %s", part{set: s, source: i}, shown(url),
					rule.ByteAt(url, at))
			}
		}
	}
}
