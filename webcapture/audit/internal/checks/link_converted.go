package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var linkConverted = &rule.Rule{
	ID:      "WC528",
	Title:   "An annotation with PA is a link to a destination in the document.",
	Problem: "Annotations with PA that do not lead to a page",
	Clause:  "ISO 32000-2:2020, 12.5.6.5, table 176",
	Level:   rule.Warning,
	Doc: "PA exists because the link was changed to lead to the captured page. Any other annotation has nothing to " +
		"restore, or a viewer has already restored it.",
	Repair:    "None: PA records what the annotation was.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckPage: checkLinkConverted,
}

func checkLinkConverted(p *rule.Pass, pg *rule.Page, _ *rule.Document) {
	for a := range pg.Annotations(p) {
		if _, _, ok := retainedAction(p, a); !ok {
			continue
		}
		subtype, ok := p.Look(a.At(), a.Dict.Lookup("Subtype"))
		if ok && !subtype.IsName("Link") {
			p.Reportf(a.At(), nil, "the annotation has PA, but its Subtype is %s, not the name /Link", Describe(p, subtype))
			continue
		}
		if !ok || !a.Dict.Lookup("Dest").IsNull() {
			continue
		}
		action, read := p.Look(a.At(), a.Dict.Lookup("A"))
		d, _ := action.Dict()
		s, ok := p.Look(a.At(), d.Lookup("S"))
		switch {
		case !read || !ok || s.IsName("GoTo"):
		case action.Kind() != object.Dictionary:
			p.Reportf(a.At(), nil, "the link has PA, but its A is %s, not a go-to action", Describe(p, action))
		default:
			p.Reportf(a.At(), nil, "the link has PA, but S of its action is %s, not the name /GoTo", Describe(p, s))
		}
	}
}
