package checks

import (
	"strings"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var urlSpelling = &rule.Rule{
	ID:      "WC210",
	Title:   "All editions of the standard and common tools agree on the spelling of a URLS key.",
	Problem: "URLS keys that other editions or tools spell differently",
	Clause:  "ISO 32000-2:2020, 14.10.3.2; ISO 32000-1:2008, 14.10.3.2",
	Level:   rule.Note,
	Doc: "The key is canonical, but some readers look for another spelling. PDF 1.3 to 1.7 resolve dot segments by " +
		"RFC 1808, which keeps \"..\" above the root and inside parameters. PDF 2.0 resolves them by RFC 3986, which " +
		"removes both. The standard does not remove port 443 of https, but other tools do. It does not add the slash " +
		"for an empty path, but Acrobat does.",
	Repair:   "None: the key is canonical.",
	CheckURL: checkURLSpelling,
}

func checkURLSpelling(p *rule.Pass, e *rule.Entry) {
	if e.URL.Absolute() && e.Changes2.Has('g') && !e.Changes.Has('g') {
		p.Reportf(e.At(), nil, "key %v is canonical only in PDF 1.7: PDF 2.0 resolves its dot segments to %v (14.10.3.2 g)",
			e.Key, nametree.Key(canon.PDF2.Append(nil, rule.KeyBytes(e.Key))))
	}
	if strings.EqualFold(string(e.URL.Scheme), "https") && strings.TrimLeft(string(e.URL.Port), "0") == "443" {
		p.Reportf(e.At(), nil, "key %v names port 443, the default port of https; the standard does not remove it "+
			"(14.10.3.2 f)", e.Key)
	}
	if rule.EmptyPath(e.URL) {
		p.Reportf(e.At(), nil, "key %v has an empty path, which no step fills (14.10.3.2); Acrobat writes /", e.Key)
	}
}
