package checks

import (
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlDoubleEncoding = &rule.Rule{
	ID:      "WC212",
	Title:   "URLS keys are not percent-encoded twice.",
	Problem: "URLS keys that are percent-encoded twice",
	Clause:  "ISO 32000-2:2020, 14.10.3.2",
	Level:   rule.Note,
	Doc: "An encoded percent sign before two hexadecimal digits usually comes from a second encoding pass. It may " +
		"also be intended.",
	Repair:    "None: it may be intended.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLDoubleEncoding,
}

func checkURLDoubleEncoding(p *rule.Pass, e *rule.Entry) {
	for i := 0; i+4 < len(e.Key); i++ {
		if e.Key[i] == '%' && e.Key[i+1:i+3] == "25" && IsHex(e.Key[i+3]) && IsHex(e.Key[i+4]) {
			p.Reportf(e.At(), nil, "key %v has %s at byte %d: it may be percent-encoded twice", e.Key, string(e.Key[i:i+5]), i)
			return
		}
	}
}
