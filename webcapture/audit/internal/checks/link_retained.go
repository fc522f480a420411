package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var linkRetained = &rule.Rule{
	ID:      "WC527",
	Title:   "PA of an annotation is a URI action.",
	Problem: "Links whose PA is not a URI action",
	Clause:  "ISO 32000-2:2020, 12.5.6.5, table 176, and 14.10",
	Level:   rule.Error,
	Doc: "PA is the URI action that the link had before its target was captured. A viewer restores it when the " +
		"captured page is deleted.",
	Repair:    "None: the original PA is unknown.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckPage: checkLinkRetained,
}

func checkLinkRetained(p *rule.Pass, pg *rule.Page, _ *rule.Document) {
	for a := range pg.Annotations(p) {
		pa, uri, ok := retainedAction(p, a)
		if !ok {
			continue
		}
		d, _ := pa.Dict()
		subtype, _ := p.Look(a.At(), d.Lookup("S"))
		switch {
		case pa.Kind() != object.Dictionary:
			p.Reportf(a.At(), nil, "PA is %s, not a URI action", Describe(p, pa))
		case !subtype.IsName("URI"):
			p.Reportf(a.At(), nil, "S of PA is %s, not the name /URI", Describe(p, subtype))
		case !uri.OK():
			p.Reportf(a.At(), nil, "URI of PA is %s, not a string", Describe(p, uri.Object))
		}
	}
}
