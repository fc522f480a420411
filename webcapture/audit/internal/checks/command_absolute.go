package checks

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var commandAbsolute = &rule.Rule{
	ID:      "WC612",
	Title:   "URL of a command is absolute, and L is at least 1.",
	Problem: "Commands that retrieve nothing",
	Clause:  "webcap",
	Level:   rule.Note,
	Doc: "URL is where the command begins, and L is the number of levels of pages to retrieve from there (table 393). " +
		"The standard does not restrict them further. But nothing says to what a relative URL refers, and less than " +
		"one level is no page.",
	Repair:    "None.",
	CheckInfo: checkCommandAbsolute,
}

func checkCommandAbsolute(p *rule.Pass, in *rule.Info) {
	for c := range commandsOf(in, p) {
		if c.URL.OK() && !canon.Split(c.URL.Bytes).Absolute() {
			p.Reportf(c.At(), nil, "URL %v has no scheme, expected an absolute URL", nametree.Key(c.URL.Bytes))
		}
		if n, ok := c.L.Number(); ok && c.L.Kind() == object.Integer && n < 1 {
			p.Reportf(c.At(), nil, "L is %s, expected 1 or more", Describe(p, c.L))
		}
	}
}
