package checks

import (
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

var linkRetained = &rule.Rule{
	ID:      "WC527",
	Title:   "PA of an annotation is a URI action, and the annotation is a link to a destination in the document.",
	Problem: "Annotations with a PA that restores no link",
	Clause:  "ISO 32000-2:2020, 12.5.6.5, table 176; 12.6.4.8, table 210; 14.10",
	Level:   rule.Warning,
	Doc: "PA is the URI action that the link had before its target was captured. Then the link was changed to lead to " +
		"the captured page. A viewer restores PA when that page is deleted. Any other annotation has nothing to " +
		"restore, or a viewer has already restored it.",
	Repair:    "None: the original PA is unknown, and PA records what the annotation was.",
	MayFollow: []rule.Action{rule.Rebuild},
	CheckPage: checkLinkRetained,
}

func checkLinkRetained(p *rule.Pass, pg *rule.Page, _ *rule.Document) {
	for a := range pg.Annotations(p) {
		if pa, uri, ok := retainedAction(p, a); ok {
			checkRetainedAction(p, a, pa, uri)
			checkConvertedLink(p, a)
		}
	}
}

func checkRetainedAction(p *rule.Pass, a *rule.Annotation, pa object.Object, uri webcapture.String) {
	d, _ := pa.Dict()
	subtype, _ := p.Look(a.At(), d.Lookup("S"))
	switch {
	case pa.Kind() != object.Dictionary:
		p.Reportf(a.At(), nil, "PA is %s, not a URI action (table 176)", Describe(p, pa))
	case !subtype.IsName("URI"):
		p.Reportf(a.At(), nil, "S of PA is %s, not the name /URI (table 210)", Describe(p, subtype))
	case !uri.OK():
		p.Reportf(a.At(), nil, "URI of PA is %s, not a string (table 210)", Describe(p, uri.Object))
	}
}

// checkConvertedLink checks that an annotation with PA is a link to a destination.
func checkConvertedLink(p *rule.Pass, a *rule.Annotation) {
	subtype, ok := p.Look(a.At(), a.Dict.Lookup("Subtype"))
	if ok && !subtype.IsName("Link") {
		p.Reportf(a.At(), nil, "the annotation has PA, but its Subtype is %s, not the name /Link (table 176)",
			Describe(p, subtype))
		return
	}
	if !ok || !a.Dict.Lookup("Dest").IsNull() {
		return
	}
	action, read := p.Look(a.At(), a.Dict.Lookup("A"))
	d, _ := action.Dict()
	s, ok := p.Look(a.At(), d.Lookup("S"))
	switch {
	case !read || !ok || s.IsName("GoTo"):
	case action.Kind() != object.Dictionary:
		p.Reportf(a.At(), nil, "the link has PA, but its A is %s, not a go-to action (table 176)", Describe(p, action))
	default:
		p.Reportf(a.At(), nil, "the link has PA, but S of its action is %s, not the name /GoTo (table 176)", Describe(p, s))
	}
}
