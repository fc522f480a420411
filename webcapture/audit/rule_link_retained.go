package audit

import (
	"github.com/webcap-tools/webcap/nametree/object"
)

var linkRetained = &Rule{
	ID:      "WC527",
	Title:   "PA of an annotation is a URI action.",
	Problem: "PA of links is not a URI action",
	Clause:  "ISO 32000-2:2020, 12.5.6.5, table 176, and 14.10",
	Level:   Error,
	Doc: "PA is the URI action that the link had before its target was captured. A viewer restores it when " +
		"the target's page is deleted.",
	Repair:    "None: what PA was is not known.",
	MayFollow: []Action{Rebuild},
	CheckPage: checkLinkRetained,
}

func checkLinkRetained(p *Pass, pg *Page, _ *Document) {
	for a := range pg.Annotations(p) {
		pa, uri, ok := p.retained(a)
		if !ok {
			continue
		}
		d, _ := pa.Dict()
		subtype, _ := p.look(a.At(), d.Lookup("S"))
		switch {
		case pa.Kind() != object.Dictionary:
			p.Reportf(a.At(), nil, "PA is %s, not a URI action", describe(p, pa))
		case !subtype.IsName("URI"):
			p.Reportf(a.At(), nil, "S of PA is %s, not the name /URI", describe(p, subtype))
		case !uri.OK():
			p.Reportf(a.At(), nil, "URI of PA is %s, not a string", describe(p, uri.Object))
		}
	}
}
