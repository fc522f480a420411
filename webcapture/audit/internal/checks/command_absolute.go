package checks

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandAbsolute = &rule.Rule{
	ID:      "WC612",
	Title:   "URL of a command is ASCII and absolute.",
	Problem: "Command URLs that are not absolute or not ASCII",
	Clause:  "ISO 32000-2:2020, 14.10.5.3, table 393",
	Level:   rule.Warning,
	Doc: "When a command is executed, the origin of the file is unknown, so its URL needs a scheme. URLs have only " +
		"ASCII characters.",
	Repair:    "None.",
	CheckInfo: checkCommandAbsolute,
}

func checkCommandAbsolute(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		if !c.URL.OK() {
			continue
		}
		if i := rule.NotASCII(c.URL.Bytes); i >= 0 {
			p.Reportf(c.At(), nil, "URL %v is not ASCII: %s", nametree.Key(c.URL.Bytes),
				rule.ByteAt(c.URL.Bytes, i))
		}
		if !canon.Split(c.URL.Bytes).Absolute() {
			p.Reportf(c.At(), nil, "URL %v has no scheme, expected an absolute URL", nametree.Key(c.URL.Bytes))
		}
	}
}
