package rewrite

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// stage collects objects before they are added to an update. If the object that contains them cannot be written, all
// are discarded.
type stage struct {
	update     *webcapture.Update
	refs       []object.Ref
	bodies     [][]byte
	references []string // keys in builder.references for objects of the stage
}

// New returns an unused object number.
func (s *stage) New() object.Ref { return s.update.New() }

// Put adds an object to the stage.
func (s *stage) Put(ref object.Ref, body []byte) {
	s.refs = append(s.refs, ref)
	s.bodies = append(s.bodies, slices.Clone(body))
}

// commit moves the objects of the stage to the update, and returns true. It discards them and returns false if the
// update already has one of them, or if one is a node of another tree.
func (b *builder) commit(tree string) (bool, error) {
	s := b.stage
	foreign, err := b.nodesOutside(tree)
	if err != nil {
		return false, err
	}
	for _, ref := range s.refs {
		if b.written[ref] || foreign[ref] {
			b.discard()
			return false, nil
		}
	}
	for i, ref := range s.refs {
		b.written[ref] = true
		s.update.Put(ref, s.bodies[i])
	}
	b.stage = &stage{update: s.update}
	return true, nil
}

// discard drops the objects of the stage.
func (b *builder) discard() {
	for _, text := range b.stage.references {
		delete(b.references, text)
	}
	b.stage = &stage{update: b.stage.update}
}

// nodesOutside returns the nodes of all name trees except one: all nodes of URLS, IDS, and Dests, but only the roots of
// other trees.
func (b *builder) nodesOutside(tree string) (map[object.Ref]bool, error) {
	nodes := map[object.Ref]bool{}
	for name, root := range b.db.Names.All() {
		if ref, ok := root.Ref(); ok && string(name) != tree {
			nodes[ref] = true
		}
	}
	dests, err := b.destinations()
	if err != nil {
		return nil, err
	}
	trees := map[string]*nametree.Tree{"Dests": dests}
	for _, t := range b.trees {
		trees[t.name.String()] = t.tree
	}
	for name, t := range trees {
		for i := 0; name != tree && i < t.NodeCount(); i++ {
			nodes[t.Node(i).Ref] = true
		}
	}
	return nodes, nil
}
