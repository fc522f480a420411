package audit

import (
	"strings"
)

var urlHTTPSPort = &Rule{
	ID:      "WC208",
	Title:   "Keys of URLS with https do not name port 443.",
	Problem: "Keys of URLS with https name port 443",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 f",
	Level:   Note,
	Doc: "The clause lists the default ports of http and ftp only, so the key is canonical to the letter. " +
		"Other tools drop the port, and do not find the key.",
	Repair:    "None: the key is canonical.",
	MayFollow: []Action{ChangeKey, AddKey, RestoreKeys, Rebuild},
	CheckURL:  checkURLHTTPSPort,
}

func checkURLHTTPSPort(p *Pass, e *Entry) {
	if strings.EqualFold(string(e.URL.Scheme), "https") && strings.TrimLeft(string(e.URL.Port), "0") == "443" {
		p.Reportf(e.At(), nil, "key %v names port 443, the default of https, which the standard does not drop", e.Key)
	}
}
