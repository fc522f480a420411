package checks

// Links to captured pages, which keep their URI action in PA (12.5.6.5, table 176).

import (
	"unsafe"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree"
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

var linkTarget = &rule.Rule{
	ID:      "WC529",
	Title:   "A link with PA leads to a page in the page tree, and the URL in PA is a key of URLS.",
	Problem: "Links to captured pages that are gone, or whose URL is not in URLS",
	Cause:   "typical of tools that extract or delete pages",
	Clause:  "ISO 32000-2:2020, 12.5.6.5, table 176, and 14.10.3.2",
	Level:   rule.Warning,
	Doc: "The link was changed to lead to a captured page, because URLS had its URL. If the page is gone, the link does " +
		"nothing. If URLS no longer has the URL, the target is gone, or viewers cannot find it by this URL.",
	Repair: "If the page is gone, make PA the action of the link again.",
	Basis: rule.Basis{
		Wrong:     "A link with PA leads to a page that is not in the page tree",
		Right:     "PA, which a viewer restores when the page is deleted",
		Otherwise: "A viewer may restore the link from PA",
	},
	Action:        rule.RestoreLink,
	MayFollow:     []rule.Action{rule.RemoveEntry, rule.RemoveSet, rule.Rebuild, rule.AddKey, rule.Restore},
	CheckPage:     collectConvertedLinks,
	CheckDocument: checkLinkTarget, // after all pages are known; an absent tree is not searched
}

func checkLinkRetained(p *rule.Pass, pg *rule.Page, _ *rule.Document) {
	for _, a := range pg.Annotations(p) {
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

// convertedLinks are the links of the document that have a URI action in PA.
type convertedLinks struct{ list []convertedLink }

type convertedLink struct {
	place  rule.Place
	uri    nametree.Key
	target object.Object // the page of the destination; null if it is null or unknown
	known  bool          // the destination has a place for a page
}

// collectConvertedLinks collects the links of a page. They are checked after all pages are known.
func collectConvertedLinks(p *rule.Pass, pg *rule.Page, _ *rule.Document) {
	links := rule.Shared[convertedLinks](p.Audit)
	for _, a := range pg.Annotations(p) {
		pa, uri, ok := retainedAction(p, a)
		d, _ := pa.Dict()
		if !ok || !uri.OK() || !isURI(p, a, d) {
			continue
		}
		l := convertedLink{place: a.At(), uri: nametree.Key(uri.Bytes)}
		l.target, l.known = destinationPage(p, a)
		if p.Reader.Keep(int64(unsafe.Sizeof(l))+int64(len(l.uri))) != nil {
			return
		}
		links.list = append(links.list, l)
	}
}

// destinationPage returns the page of an annotation's destination (12.3.2.2, 12.3.2.4), as stored. It returns false if
// there is none, or if the annotation names a destination that does not exist.
func destinationPage(p *rule.Pass, a *rule.Annotation) (page object.Object, ok bool) {
	dest := goToDestination(p, a.At(), a.Dict)
	if name := destinationName(dest); name != "" {
		dest = destinationsOf(p).value(p, a.At(), name)
	}
	list, _ := dest.Array()
	page, _, ok = list.Cut()
	return page.Clone(), ok && (page.IsNull() || page.Kind() == object.Reference)
}

func checkLinkTarget(p *rule.Pass, doc *rule.Document) {
	for _, l := range rule.Shared[convertedLinks](p.Audit).list {
		if l.known && doc.Whole {
			ref, _ := l.target.Ref()
			if !doc.IsPage(ref) {
				var fix *rule.Fix
				if l.place.Object.Num != 0 {
					fix = &rule.Fix{Action: rule.RestoreLink, New: l.uri}
				}
				p.Reportf(l.place, fix, "the link leads to %s, which is no page of the page tree; the URI of PA is %v",
					l.target, l.uri)
				continue
			}
		}
		uri := rule.KeyBytes(l.uri)
		if u := canon.Split(uri); !doc.WholeTrees[webcapture.URLS] || len(u.Scheme) == 0 {
			continue // relative to an unknown page
		}
		if !isKeyOf(p, uri) {
			p.Reportf(l.place, nil, "URI of PA is %v, but %v is not a key of URLS", l.uri,
				nametree.Key(canon.PDF.Append(nil, uri)))
		}
		if !p.Spend(meter.Object) {
			return
		}
	}
}

// retainedAction returns the action in PA of an annotation, and its URI. It returns false if PA is absent or
// unreadable.
func retainedAction(p *rule.Pass, a *rule.Annotation) (pa object.Object, uri webcapture.String, ok bool) {
	stored := a.Dict.Lookup("PA")
	if stored.IsNull() {
		return pa, uri, false
	}
	if pa, ok = p.Look(a.At(), stored); !ok || pa.IsNull() {
		return pa, uri, false
	}
	d, _ := pa.Dict()
	uri, ok = p.LookString(a.At(), d.Lookup("URI"))
	return pa, uri, ok
}

// isURI reports whether a dictionary in PA is a URI action.
func isURI(p *rule.Pass, a *rule.Annotation, d object.Dict) bool {
	s, _ := p.Look(a.At(), d.Lookup("S"))
	return s.IsName("URI")
}

// keyForms are the forms of the keys of URLS that are not canonical.
type keyForms struct {
	forms map[string]bool
}

// isKeyOf reports whether a form of a URL is a key of URLS. A key that is not canonical counts with its canonical form;
// another rule reports it. Only checks of pages and of the document may call isKeyOf, because these run one at a time.
func isKeyOf(p *rule.Pass, url []byte) bool {
	fs := rule.Forms(url)
	for _, f := range fs {
		if hasKey(p.DB.URLS.Tree, nametree.Key(f)) {
			return true
		}
	}
	known := rule.Shared[keyForms](p.Audit)
	if known.forms == nil {
		known.forms = map[string]bool{}
		for _, e := range p.DB.URLS.Entries() {
			key := rule.KeyBytes(e.Key)
			if !p.Spend(rule.KeyWork(key)) {
				break
			}
			if canon.PDF.Changes(key) != 0 {
				for _, f := range rule.Forms(key) {
					known.forms[f] = true
				}
			}
		}
	}
	return anyIn(known.forms, fs)
}
