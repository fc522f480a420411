package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlASCII = &rule.Rule{
	ID:      "WC201",
	Title:   "URLS keys are 7-bit ASCII.",
	Problem: "URLS keys with bytes that are not ASCII",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 and table 391",
	Level:   rule.Warning,
	Doc: "URLs are ASCII strings. Bytes above 127 mean that the URL was never percent-encoded, or that a tool " +
		"stored the key as text.",
	Repair:    "None: the meaning of the bytes is unknown.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLASCII,
}

func checkURLASCII(p *rule.Pass, e *rule.Entry) {
	if isText(e) {
		return
	}
	if i := rule.NotASCII(rule.KeyBytes(e.Key)); i >= 0 {
		p.Reportf(e.At(), nil, "key %v is not ASCII: %s", e.Key, ByteAt(rule.KeyBytes(e.Key), i))
	}
}
