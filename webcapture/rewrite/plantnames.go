package rewrite

import (
	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// namesOf brings back the named destinations that begin with the ID of a content set
// of the original (14.10.3.4), and lead to pages that are in the file.
func (w *planter) namesOf(ids map[string]bool) error {
	from, err := w.reader.Tree(w.db.Names.Lookup("Dests"))
	if err != nil {
		return object.IgnoreMalformed(err)
	}
	has, err := w.planner.destinations()
	if err != nil {
		return err
	}
	for _, e := range from.Entries() {
		id, _, ok := digest.Unescape(string(e.Key))
		if !ok || !ids[string(id[:])] || w.leads(e.Key, has) {
			continue
		}
		page, err := w.target(e.Value)
		if err != nil {
			return err
		}
		if w.is[page] == nil {
			continue
		}
		text, err := w.copied(e.Value, maxPlantDepth)
		if err != nil {
			return err
		}
		w.dests.plant(e.Key, text)
		w.plan.Steps.Add(Step{
			Action: audit.Plant, Tree: "Dests", Place: audit.Place{Part: "Dests", Key: e.Key}, New: e.Key.String(), Reason: w.name + " has it",
		})
	}
	return nil
}

// leads reports whether the file has a named destination, or is about to.
func (w *planter) leads(key nametree.Key, t *nametree.Tree) bool {
	for range t.All(key) {
		return true
	}
	return w.dests.planted[key] != nil
}

// target returns the page that a destination of the original leads to (12.3.2.2).
func (w *planter) target(dest object.Object) (page object.Ref, err error) {
	o, err := w.reader.Resolve(dest)
	if d, ok := o.Dict(); ok && err == nil {
		o, err = w.reader.Resolve(d.Lookup("D"))
	}
	list, _ := o.Array()
	for e := range list.All() {
		page, _ = e.Ref()
		break
	}
	return page, object.IgnoreMalformed(err)
}
