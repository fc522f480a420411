package checks

import (
	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

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
// another rule reports it. Only checks of pages may call isKeyOf, because these run one at a time.
func isKeyOf(p *rule.Pass, url []byte) bool {
	fs := rule.Forms(url)
	for _, f := range fs {
		if _, ok := rule.FirstOf(p.DB.URLS.All(nametree.Key(f))); ok {
			return true
		}
	}
	known := rule.Shared[keyForms](p.Audit)
	if known.forms == nil {
		known.forms = map[string]bool{}
		for _, e := range p.DB.URLS.Entries() {
			key := rule.KeyBytes(e.Key)
			if !p.Spend(rule.URLCost + 8*int64(len(key))) {
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

// inIDS reports whether an ID is a key of IDS.
func inIDS(p *rule.Pass, id digest.ID) bool {
	_, ok := rule.FirstOf(p.DB.IDS.All(nametree.Key(id[:])))
	return ok
}

// signedFields returns the first signed field, the number of signed fields, and whether a signature certifies the
// document (12.8.4).
func signedFields(p *rule.Pass) (first object.Ref, n int, certified bool) {
	for f := range formFields(p) {
		at := rule.Place{Object: f.ref}
		if kind, _ := p.Look(at, f.kind); !kind.IsName("Sig") {
			continue
		}
		value, _ := p.Look(at, f.dict.Lookup("V"))
		if d, _ := value.Dict(); d.Lookup("ByteRange").IsNull() {
			continue
		}
		if n++; n == 1 {
			first = f.ref
		}
	}
	perms, _ := p.Look(rule.Place{Part: "Perms"}, p.DB.Catalog.Lookup("Perms"))
	d, _ := perms.Dict()
	return first, n, !d.Lookup("DocMDP").IsNull()
}
