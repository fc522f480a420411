package checks

// SpiderInfo, the Web Capture information dictionary (14.10.2, table 386).

import (
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var infoDictionary = &rule.Rule{
	ID:      "WC601",
	Title:   "SpiderInfo is a dictionary with a number in V, and references to commands in C.",
	Problem: "SpiderInfo that is not valid",
	Clause:  "ISO 32000-2:2020, 7.7.2, table 29; 14.10.2, table 386",
	Level:   rule.Warning,
	Doc: "The Web Capture information dictionary holds the version of the feature in V, and in C the commands that " +
		"made the file, in the order in which to execute them again. V is a decimal number: 1.2 is more than 1.15. " +
		"Content sets name their commands by reference, so no set can name a command stored directly in C.",
	Repair:    "None: the version is unknown, and commands are counted, so the others keep their places.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkInfoDictionary,
}

var infoVersionKnown = &rule.Rule{
	ID:      "WC603",
	Title:   "V of SpiderInfo is 1.0, or 1.25 as in the files of Acrobat.",
	Problem: "SpiderInfo with an unknown version",
	Clause:  "ISO 32000-2:2020, 14.10.2, table 386",
	Level:   rule.Warning,
	Doc: "The standard defines only version 1.0. All versions of Acrobat write 1.25, so webcap accepts it too. With " +
		"any other version, the dictionaries may have another meaning.",
	Repair:    "None.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkInfoVersionKnown,
}

var infoTrees = &rule.Rule{
	ID:      "WC606",
	Title:   "A file has SpiderInfo if it has URLS or IDS, and one of these if it has SpiderInfo.",
	Problem: "SpiderInfo without a database or a database without SpiderInfo",
	Clause:  "webcap",
	Level:   rule.Note,
	Doc: "The information dictionary belongs to the content database. If only one of them exists, a program kept a " +
		"useless part of Web Capture, or removed a part. SpiderInfo lists the commands that captured the pages. Without " +
		"it, no viewer can capture them again.",
	Repair:    "None: only an original of the file has the lost part.",
	MayFollow: []rule.Action{rule.RemoveTree, rule.Rebuild},
	CheckInfo: checkInfoTrees,
}

func checkInfoDictionary(p *rule.Pass, in *rule.Info) {
	if !in.Stored.IsNull() && !in.Unread && in.Resolved.Kind() != object.Dictionary {
		p.Reportf(in.At(), nil, "SpiderInfo is %s, not a dictionary (table 29)", Describe(p, in.Stored))
	}
	if in.Info == nil {
		return
	}
	for i := range webcapture.InfoTable {
		f := &webcapture.InfoTable[i]
		if fault := fieldFault(p, in, f, in.Dict.Lookup(f.Key)); fault != "" {
			p.Reportf(in.At(), nil, "%s", fault)
		}
	}
	checkCommandList(p, in)
}

// checkCommandList checks the elements of C.
func checkCommandList(p *rule.Pass, in *rule.Info) {
	list, _ := in.C.Array()
	index := -1
	for e := range list.All() {
		index++
		o, err := p.Reader.Resolve(e)
		switch {
		case err != nil: // recorded when the command is read
		case o.Kind() != object.Dictionary:
			p.Reportf(in.AtCommand(index), nil,
				"the element of C is %s, expected a reference to a dictionary (table 386)", Describe(p, e))
		case e.Kind() != object.Reference:
			p.Reportf(in.AtCommand(index), nil, "the command is stored directly in C, expected a reference (table 386)")
		}
		if !p.Spend(0) {
			return
		}
	}
}

func checkInfoVersionKnown(p *rule.Pass, in *rule.Info) {
	if in.Info == nil {
		return
	}
	if v, ok := in.V.Number(); ok && v != 1 && v != 1.25 {
		p.Reportf(in.At(), nil, "V is %s, expected 1.0 or, as in Acrobat, 1.25", Describe(p, in.Dict.Lookup("V")))
	}
}

func checkInfoTrees(p *rule.Pass, in *rule.Info) {
	var has []string
	for _, t := range p.DB.Trees() {
		has = append(has, t.Name.String())
	}
	switch {
	case in.Stored.IsNull() && len(has) > 0:
		p.Reportf(rule.Place{}, nil, "the file has %s, but no SpiderInfo, so the list of commands is lost",
			strings.Join(has, " and "))
	case !in.Stored.IsNull() && len(has) == 0 && !p.Audit.Lost.Load():
		p.Reportf(in.At(), nil, "the file has SpiderInfo, but neither URLS nor IDS")
	}
}
