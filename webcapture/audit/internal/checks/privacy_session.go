package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var privacySession = &rule.Rule{
	ID:      "WC703",
	Title:   "URLS keys have no session identifiers.",
	Problem: "URLS keys with session identifiers",
	Clause:  "webcap",
	Level:   rule.Note,
	Doc: "The URL has a parameter that looks like a session identifier, which may still be valid. It differs with " +
		"every visit, so viewers do not find the page by its URL again.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkPrivacySession,
}

func checkPrivacySession(p *rule.Pass, e *rule.Entry) {
	if name := SessionParameter(e.Key); name != "" {
		p.Reportf(e.At(), nil, "key %v has the parameter %s, which looks like a session identifier", e.Key, name)
	}
}
