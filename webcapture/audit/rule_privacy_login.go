package audit

import (
	"github.com/webcap-tools/webcap/nametree"
)

var privacyLogin = &Rule{
	ID:        "WC702",
	Title:     "Keys of URLS hold no login.",
	Clause:    "RFC 3986, 7.5",
	Level:     Warning,
	Doc:       "A user name, and perhaps a password, stands in the URL, in plain text.",
	Repair:    "None: the key would no longer be that of its source.",
	MayFollow: []Action{ChangeKey, AddKey, RestoreKeys, Rebuild},
	CheckURL:  checkPrivacyLogin,
}

func checkPrivacyLogin(p *Pass, e *Entry) {
	if len(e.URL.Userinfo) > 0 {
		p.Reportf(e.At(), nil, "key holds a login before its host %v", nametree.Key(e.URL.Host))
	}
}
