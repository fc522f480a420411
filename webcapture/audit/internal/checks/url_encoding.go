package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlEncoding = &rule.Rule{
	ID:      "WC211",
	Title:   "URLS keys have undergone one percent-encoding pass.",
	Problem: "URLS keys without percent-encoding",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Warning,
	Doc: "Canonical URLs are percent-encoded exactly once. Blanks, control characters, or a percent sign without " +
		"two hexadecimal digits show that this key was not.",
	Repair:    "None: the key does not show how often it was encoded.",
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
