package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlEmptyPath = &rule.Rule{
	ID:      "WC213",
	Title:   "URLS keys with a host have a path.",
	Problem: "URLS keys without a path after the host",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Note,
	Doc: "Canonicalization does not add the slash for an empty path, so this key is canonical. Acrobat adds it, so " +
		"a viewer may look for the other spelling.",
	Repair:    "None: the key is canonical.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLEmptyPath,
}

func checkURLEmptyPath(p *rule.Pass, e *rule.Entry) {
	if rule.EmptyPath(e.URL) {
		p.Reportf(e.At(), nil, "key %v has an empty path; Acrobat writes /", e.Key)
	}
}
