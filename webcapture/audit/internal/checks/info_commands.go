package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var infoCommands = &rule.Rule{
	ID:      "WC605",
	Title:   "C of SpiderInfo is an array of references to command dictionaries.",
	Problem: "SpiderInfo commands that are not an array of references",
	Clause:  "ISO 32000-2:2020, 14.10.2, table 386",
	Level:   rule.Error,
	Doc: "C lists the commands in the order in which to execute them again. Content sets name their commands by " +
		"reference, so no set can name a command stored directly in C. An object that is not a dictionary is not a " +
		"command.",
	Repair:    "None: commands are counted, and the others keep their places.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckInfo: checkInfoCommands,
}

func checkInfoCommands(p *rule.Pass, in *rule.Info) {
	if in.Info == nil || in.C.IsNull() {
		return
	}
	list, ok := in.C.Array()
	if !ok {
		p.Reportf(in.At(), nil, "C is %s, not an array", Describe(p, in.Dict.Lookup("C")))
		return
	}
	index := -1
	for e := range list.All() {
		index++
		o, err := p.Reader.Resolve(e)
		switch {
		case err != nil: // recorded when the command is read
		case o.Kind() != object.Dictionary:
			p.Reportf(in.AtCommand(index), nil, "the element of C is %s, expected a reference to a dictionary", Describe(p, e))
		case e.Kind() != object.Reference:
			p.Reportf(in.AtCommand(index), nil, "the command is stored directly in C, expected a reference")
		}
		if !p.Spend(0) {
			return
		}
	}
}
