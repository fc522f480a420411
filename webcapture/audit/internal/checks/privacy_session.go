package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var privacySession = &rule.Rule{
	ID:      "WC703",
	Title:   "Keys of URLS hold no session identifiers.",
	Problem: "Keys of URLS hold session identifiers",
	Clause:  "webcap",
	Level:   rule.Note,
	Doc: "The URL carries what looks like the identifier of somebody's session. It may still be valid, " +
		"and it differs with every visit, so that the page is not found by its URL again.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkPrivacySession,
}

func checkPrivacySession(p *rule.Pass, e *rule.Entry) {
	if name := SessionParameter(e.Key); name != "" {
		p.Reportf(e.At(), nil, "key %v has the parameter %s, which looks like a session identifier", e.Key, name)
	}
}
