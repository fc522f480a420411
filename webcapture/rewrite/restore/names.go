package restore

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// destinations restores named destinations whose names begin with one of ids (14.10.3.4), and whose pages are in the
// file.
func (r *restoration) destinations(ids map[string]bool) error {
	from, err := r.original.Reader.Tree(r.original.Database.Names.Lookup("Dests"))
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	has, err := r.file.Reader.Tree(r.file.Database.Names.Lookup("Dests"))
	if err != nil {
		return err
	}
	for _, e := range from.Entries() {
		id, _, ok := digest.Unescape(string(e.Key))
		if !ok || !ids[string(id[:])] || r.leads(e.Key, has) {
			continue
		}
		page, err := r.target(e.Value)
		if err != nil {
			return err
		}
		if r.pairs.Page(page) == nil {
			continue
		}
		text, err := r.copied(e.Value, maxDepth)
		if err != nil {
			return err
		}
		r.changes.Destinations[e.Key] = text
		r.step("Dests", rule.Place{Part: "Dests", Key: e.Key}, e.Key.String())
	}
	return nil
}

// leads reports whether the file has a named destination, or gets it.
func (r *restoration) leads(key nametree.Key, t *nametree.Tree) bool {
	for range t.All(key) {
		return true
	}
	return r.changes.Destinations[key] != nil
}

// target returns the page to which a destination of the original leads (12.3.2.2).
func (r *restoration) target(dest object.Object) (page object.Ref, err error) {
	o, err := r.original.Reader.Resolve(dest)
	if d, ok := o.Dict(); ok && err == nil {
		o, err = r.original.Reader.Resolve(d.Lookup("D"))
	}
	list, _ := o.Array()
	for e := range list.All() {
		page, _ = e.Ref()
		break
	}
	return page, object.IgnoreMalformed(err)
}
