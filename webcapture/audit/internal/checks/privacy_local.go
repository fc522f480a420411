package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var privacyLocal = &rule.Rule{
	ID:      "WC701",
	Title:   "URLS keys do not name local files, private servers, or sessions.",
	Problem: "URLS keys that name local files, private servers, or sessions",
	Clause:  "webcap",
	Level:   rule.Note,
	Doc: "File URLs reveal the name of a user, the folders of a machine, or the servers of a private network. " +
		"Acrobat writes them when it converts a local file. A session identifier in a parameter may still be valid. It " +
		"differs with every visit, so viewers do not find the page by its URL again. Everyone who receives the PDF can " +
		"read the keys.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkPrivacyLocal,
}

func checkPrivacyLocal(p *rule.Pass, e *rule.Entry) {
	if what := LocalPlace(e.URL); what != "" {
		p.Reportf(e.At(), nil, "key %v names %s", e.Key, what)
	}
	if name := SessionParameter(e.Key); name != "" {
		p.Reportf(e.At(), nil, "key %v has the parameter %s, which looks like a session identifier", e.Key, name)
	}
}
