package checks

import (
	"strings"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var infoTrees = &rule.Rule{
	ID:      "WC606",
	Title:   "A file has SpiderInfo if it has URLS or IDS, and one of these if it has SpiderInfo.",
	Problem: "SpiderInfo without a database or a database without SpiderInfo",
	Clause:  "webcap",
	Level:   rule.Note,
	Doc: "The information dictionary belongs to the content database. If only one of them exists, a program kept a " +
		"useless part of Web Capture, or removed a part.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.RemoveTree, rule.Rebuild},
	CheckInfo: checkInfoTrees,
}

func checkInfoTrees(p *rule.Pass, in *rule.Info) {
	var has []string
	for _, t := range p.DB.Trees() {
		has = append(has, t.Name.String())
	}
	lost := p.DB.Names.Raw() == nil && !p.DB.Catalog.Lookup("Names").IsNull()
	switch {
	case in.Stored.IsNull() && len(has) > 0:
		p.Reportf(rule.Place{}, nil, "the file has %s, but no SpiderInfo", strings.Join(has, " and "))
	case !in.Stored.IsNull() && len(has) == 0 && !lost:
		p.Reportf(in.At(), nil, "the file has SpiderInfo, but neither URLS nor IDS")
	}
}
