package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlEmptyPath = &rule.Rule{
	ID:      "WC213",
	Title:   "Keys of URLS with a host have a path.",
	Problem: "Keys of URLS end after the host, without a path",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Note,
	Doc: "No step adds the slash that stands for an empty path, so the key is canonical. Acrobat adds it, " +
		"so a viewer may look for the other spelling.",
	Repair:    "None: the key is canonical.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLEmptyPath,
}

func checkURLEmptyPath(p *rule.Pass, e *rule.Entry) {
	if rule.EmptyPath(e.URL) {
		p.Reportf(e.At(), nil, "key %v has an empty path, for which Acrobat writes /", e.Key)
	}
}
