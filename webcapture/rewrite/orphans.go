package rewrite

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// An orphan is a pair that makes no entry, and that a finding is about.
type orphan struct {
	finding int // index in the report
	tree    *treeEdit
	node    int
	pair    int
	halves  []object.Object // key and value, as stored
	lone    bool            // there is no second half
	left    string          // why it has to stay
}

// withoutEntry are the defects of such pairs, but for those whose key cannot be
// read.
var withoutEntry = []nametree.DefectKind{nametree.KeyNull, nametree.KeyNotString, nametree.OddNames}

// orphanAt returns the pair that a finding is about.
func (p *planner) orphanAt(index int, at audit.Place) *orphan {
	o := &orphan{finding: index, tree: p.tree(at.Tree), node: at.Node.Position(), pair: at.Node.Index, left: "It cannot be told from others."}
	if d, ok := o.tree.orphans()[[2]int{o.node, o.pair}]; ok {
		o.halves, o.lone, o.left = []object.Object{d.Found, d.Value}, d.Kind == nametree.OddNames, ""
	}
	return o
}

// orphans returns the defects of pairs that make no entry, by node and pair.
func (t *treeEdit) orphans() map[[2]int]nametree.Defect {
	if t.pairs == nil {
		t.pairs = map[[2]int]nametree.Defect{}
		for _, d := range t.tree.Defects() {
			if slices.Contains(withoutEntry, d.Kind) {
				t.pairs[[2]int{d.Node, d.Index}] = d
			}
		}
	}
	return t.pairs
}

// restoreKeys resolves pairs that make no entry. Content sets in them, in either
// place, go to the keys that they have by their IDs and URLs; a string may go if it
// is the key of some entry then. Anything else stays, and the pair with it.
func (p *planner) restoreKeys(orphans []*orphan) error {
	for _, o := range orphans {
		for k, half := range o.halves {
			if err := o.rehome(p, half, k == 0); err != nil {
				return err
			}
		}
	}
	for _, o := range orphans {
		for _, half := range o.halves {
			s, err := p.reader.String(half)
			if soft(err) != nil {
				return err
			}
			if s.OK() && o.left == "" && !o.tree.has(nametree.Key(s.Bytes)) {
				o.left = "Nothing tells what the key in it leads to."
			}
		}
		if o.left == "" {
			o.tree.dropped = append(o.tree.dropped, [2]int{o.node, o.pair})
			o.tree.touched = true
			p.step(p.plan.Report.Findings[o.finding], "", "")
		}
	}
	return nil
}

// has reports whether a key is that of an entry, or of an addition.
func (t *treeEdit) has(key nametree.Key) bool {
	for range t.tree.All(key) {
		return true
	}
	return t.addedKeys[key]
}

// rehome gives the content sets in one half of a pair the keys that are theirs. A
// number or a name in the place of the key says nothing, and goes.
func (o *orphan) rehome(p *planner, half object.Object, isKey bool) error {
	resolved, err := p.reader.Resolve(half)
	switch {
	case err != nil:
		o.left = "It cannot be read."
		return soft(err)
	case resolved.IsNull(), resolved.Kind() == object.String, isKey && resolved.Kind() < object.String, isKey && resolved.Kind() == object.Name:
		return nil
	}
	list, err := p.elements(half)
	if err != nil {
		return err
	}
	if list, err = p.union(list); err != nil {
		return err
	}
	for _, set := range list {
		if ref, ok := set.Ref(); ok {
			p.plan.fresh[ref] = true
		}
		keys, err := p.ownKeys(o.tree.name, set)
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			elsewhere, err := p.trees[1-o.tree.name].leadsTo(set)
			if err != nil {
				return err
			}
			if !elsewhere || o.lone {
				o.left = "What it leads to has no key of its own."
			}
		}
		for _, key := range keys {
			o.tree.add(key, set)
		}
	}
	return nil
}
