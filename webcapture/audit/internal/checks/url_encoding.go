package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlEncoding = &rule.Rule{
	ID:      "WC211",
	Title:   "Keys of URLS have undergone one encoding pass.",
	Problem: "Keys of URLS are not percent-encoded",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Warning,
	Doc: "Canonical URLs are taken to be percent-encoded exactly once. Blanks, control characters, and a " +
		"percent sign without two hexadecimal digits show that this one was not.",
	Repair:    "None: how often it was encoded cannot be told from the key.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLEncoding,
}

func checkURLEncoding(p *rule.Pass, e *rule.Entry) {
	if isText(e) {
		return
	}
	if what := Unencoded(e.Key); what != "" {
		p.Reportf(e.At(), nil, "key %v has %s: it is not percent-encoded", e.Key, what)
	}
}
