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
	for _, e := range r.theirDests.Entries() {
		id, _, ok := digest.Unescape(string(e.Key))
		if !ok || !ids[string(id[:])] || r.leads(e.Key) {
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

// readDestinations reads the named destinations of both files.
func (r *restoration) readDestinations() (err error) {
	r.theirDests, err = r.original.Reader.Tree(r.original.Database.Names.Lookup("Dests"))
	if object.IgnoreMalformed(err) != nil {
		return err
	}
	if err != nil {
		r.theirDests = new(nametree.Tree)
	}
	r.ownDests, err = r.file.Reader.Tree(r.file.Database.Names.Lookup("Dests"))
	return err
}

// leads reports whether the file has a named destination, or gets it.
func (r *restoration) leads(key nametree.Key) bool {
	for range r.ownDests.All(key) {
		return true
	}
	return r.changes.Destinations[key] != nil
}

// target returns the page to which a destination of the original leads, which may be named (12.3.2).
func (r *restoration) target(dest object.Object) (page object.Ref, err error) {
	o, err := r.original.Reader.Resolve(dest)
	if name, ok := o.AppendString(nil); ok && err == nil {
		o = object.Object{}
		for i := range r.theirDests.All(nametree.Key(name)) {
			o, err = r.original.Reader.Resolve(r.theirDests.Entry(i).Value)
			break
		}
	}
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
