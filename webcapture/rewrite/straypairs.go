package rewrite

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// restoreKeys removes a pair of Names that is not an entry. The content sets in its halves get the keys of their IDs or
// URLs. The audit proposes this only if nothing is lost.
func (p *planner) restoreKeys(f *rule.Finding) error {
	t, at := p.tree(f.Place.Tree), [2]int{f.Place.Node.Position(), f.Place.Node.Index}
	pair := t.strayPair(at)
	for _, half := range []object.Object{pair.Found, pair.Value} {
		list, err := p.elements(half)
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		if list, err = p.distinct(list); err != nil {
			return err
		}
		for _, set := range list {
			if _, err := p.addOwnKeys(t.name, set); err != nil {
				return err
			}
			if ref, ok := set.Ref(); ok {
				p.unseen[ref] = true
			}
		}
	}
	t.dropped = append(t.dropped, at)
	t.touched = true
	return nil
}

// strayPair returns the defect of a pair that is not an entry, by node and index.
func (t *treeEdit) strayPair(at [2]int) nametree.Defect {
	if t.pairs == nil {
		t.pairs = map[[2]int]nametree.Defect{}
		for d := range t.tree.Defects() {
			if slices.Contains(rule.StrayPairs, d.Kind) {
				t.pairs[[2]int{d.Node, d.Index}] = d
			}
		}
	}
	return t.pairs[at]
}
