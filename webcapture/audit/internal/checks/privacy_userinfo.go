package checks

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var privacyUserinfo = &rule.Rule{
	ID:        "WC702",
	Title:     "URLS keys have no userinfo.",
	Problem:   "URLS keys with user names or passwords",
	Clause:    "RFC 3986, 7.5",
	Level:     rule.Warning,
	Doc:       "The key has a user name, and perhaps a password, before the host, in plain text.",
	Repair:    "None: the key would no longer be the URL of its source.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkPrivacyUserinfo,
}

func checkPrivacyUserinfo(p *rule.Pass, e *rule.Entry) {
	if len(e.URL.Userinfo) > 0 {
		p.Reportf(e.At(), nil, "key has userinfo before the host %v", nametree.Key(e.URL.Host))
	}
}
