package checks

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlDotsEditions = &rule.Rule{
	ID:      "WC210",
	Title:   "URLS keys are canonical in both editions of the standard.",
	Problem: "URLS keys that are canonical in only one edition of the standard",
	Clause:  "ISO 32000-2:2020, 14.10.3.2 g; ISO 32000-1:2008, 14.10.3.2",
	Level:   rule.Warning,
	Doc: "PDF 1.3 to 1.7 resolve dot segments by RFC 1808, which keeps \"..\" above the root and inside " +
		"parameters. PDF 2.0 resolves them by RFC 3986, which removes both. Viewers of one edition do not find " +
		"keys of the other.",
	Repair:    "None: either edition may be meant.",
	MayFollow: []rule.Action{rule.ChangeKey, rule.AddKey, rule.RestoreKeys, rule.Rebuild},
	CheckURL:  checkURLDotsEditions,
}

func checkURLDotsEditions(p *rule.Pass, e *rule.Entry) {
	if e.Changes2.Has('g') && !e.Changes.Has('g') {
		p.Reportf(e.At(), nil, "key %v is canonical only in PDF 1.7: PDF 2.0 resolves its dot segments to %v", e.Key,
			nametree.Key(canon.PDF2.Append(nil, rule.KeyBytes(e.Key))))
	}
}
