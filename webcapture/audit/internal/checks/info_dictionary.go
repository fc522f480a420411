package checks

import (
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
