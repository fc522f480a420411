package rewrite

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// strayPair is a pair of Names that is not an entry, and has a finding.
type strayPair struct {
	finding int // index of the finding in the report
	tree    *treeEdit
	node    int
	pair    int
	halves  []object.Object // key and value, as stored
	noValue bool            // the key is the last element of Names
	left    string          // why it cannot be removed
}

// strayPairAt returns the stray pair at the place of a finding.
func (p *planner) strayPairAt(number int, at rule.Place) *strayPair {
	o := &strayPair{finding: number, tree: p.tree(at.Tree), node: at.Node.Position(), pair: at.Node.Index}
	d := o.tree.strayPairs()[[2]int{o.node, o.pair}]
	o.halves, o.noValue = []object.Object{d.Found, d.Value}, d.Kind == nametree.OddNames
	return o
}

// strayPairs returns the defects of stray pairs, by node and index of the pair.
func (t *treeEdit) strayPairs() map[[2]int]nametree.Defect {
	if t.pairs == nil {
		t.pairs = map[[2]int]nametree.Defect{}
		for d := range t.tree.Defects() {
			if slices.Contains(rule.StrayPairs, d.Kind) {
				t.pairs[[2]int{d.Node, d.Index}] = d
			}
		}
	}
	return t.pairs
}

// restoreKeys removes stray pairs. A content set in either half first gets the keys of its ID or URLs. A pair with a
// string stays unless an entry has that key. Null, or a number or name in place of the key, does not keep the pair;
// any other object does.
func (p *planner) restoreKeys(strays []*strayPair) error {
	for _, o := range strays {
		for k, half := range o.halves {
			if err := o.giveKeys(p, half, k == 0); err != nil {
				return err
			}
		}
	}
	for _, o := range strays {
		for _, half := range o.halves {
			s, err := p.reader.String(half)
			if object.IgnoreMalformed(err) != nil {
				return err
			}
			if s.OK() && o.left == "" && !o.tree.has(nametree.Key(s.Bytes)) {
				o.left = "The pair has a key whose value is unknown."
			}
		}
		if o.left == "" {
			o.tree.dropped = append(o.tree.dropped, [2]int{o.node, o.pair})
			o.tree.touched = true
			p.asks[o.finding] = true
		}
	}
	return nil
}

// has reports whether an entry or an addition has a key.
func (t *treeEdit) has(key nametree.Key) bool {
	for range t.tree.All(key) {
		return true
	}
	return t.addedKeys[key]
}

// giveKeys gives the content sets in one half of a pair the keys of their IDs or URLs. A number or name in place of the
// key has no content set.
func (o *strayPair) giveKeys(p *planner, half object.Object, isKey bool) error {
	resolved, err := p.reader.Resolve(half)
	switch {
	case err != nil:
		o.left = "It cannot be read."
		return object.IgnoreMalformed(err)
	case resolved.IsNull(), resolved.Kind() == object.String, isKey && resolved.Kind() < object.String,
		isKey && resolved.Kind() == object.Name:
		return nil
	}
	list, err := p.elements(half)
	if err != nil {
		return err
	}
	if list, err = p.distinct(list); err != nil {
		return err
	}
	for _, set := range list {
		if ref, ok := set.Ref(); ok {
			p.unseen[ref] = true
		}
		keys, err := p.ownKeys(o.tree.name, set)
		if err != nil {
			return err
		}
		if len(keys) == 0 {
			elsewhere, err := p.leadsTo(p.trees[1-o.tree.name], set)
			if err != nil {
				return err
			}
			if !elsewhere || o.noValue {
				o.left = "Its content set has no other key."
			}
		}
		for _, key := range keys {
			o.tree.add(key, set)
		}
	}
	return nil
}
