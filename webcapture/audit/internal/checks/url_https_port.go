package checks

import (
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlHTTPSPort = &rule.Rule{
	ID:      "WC208",
	Title:   "URLS keys with https do not name port 443.",
	Problem: "URLS keys with port 443 of https",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 f",
	Level:   rule.Note,
	Doc: "The standard lists only the default ports of http and ftp, so this key is canonical. Other tools remove " +
		"port 443 and do not find the key.",
	Repair:    "None: the key is canonical.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLHTTPSPort,
}

func checkURLHTTPSPort(p *rule.Pass, e *rule.Entry) {
	if strings.EqualFold(string(e.URL.Scheme), "https") && strings.TrimLeft(string(e.URL.Port), "0") == "443" {
		p.Reportf(e.At(), nil, "key %v names port 443, the default port of https; the standard does not remove it",
			e.Key)
	}
}
