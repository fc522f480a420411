package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var privacyUserinfo = &Rule{
	ID:        "WC702",
	Title:     "Keys of URLS hold no userinfo.",
	Problem:   "Keys of URLS hold user names or passwords",
	Clause:    "RFC 3986, 7.5",
	Level:     Warning,
	Doc:       "A user name, and perhaps a password, stands before the host, in plain text.",
	Repair:    "None: the key would no longer be that of its source.",
	MayFollow: []Action{ChangeKey, AddKey, RestoreKeys, Rebuild},
	CheckURL:  checkPrivacyUserinfo,
}

func checkPrivacyUserinfo(p *Pass, e *Entry) {
	if len(e.URL.Userinfo) > 0 {
		p.Reportf(e.At(), nil, "key holds userinfo before its host %v", nametree.Key(e.URL.Host))
	}
}
