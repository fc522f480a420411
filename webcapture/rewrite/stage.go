package rewrite

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// stage has the objects on their way into an update. They can be given up together,
// when it turns out that what they are a part of cannot be written.
type stage struct {
	update     *webcapture.Update
	refs       []object.Ref
	bodies     [][]byte
	references []string // keys of builder.references that lead to objects of the stage
}

// New returns a number that no object has.
func (s *stage) New() object.Ref { return s.update.New() }

// Put puts an object on the stage.
func (s *stage) Put(ref object.Ref, body []byte) {
	s.refs = append(s.refs, ref)
	s.bodies = append(s.bodies, slices.Clone(body))
}

// commit puts what is on the stage into the update, unless something else was put
// in the place of one of its objects, or a tree that is not the one with this name
// has one of them as a node: then it reports false, and the stage is given up.
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

// discard drops what is on the stage.
func (b *builder) discard() {
	for _, text := range b.stage.references {
		delete(b.references, text)
	}
	b.stage = &stage{update: b.stage.update}
}

// nodesOutside returns the nodes of the name trees but one: those of URLS, IDS and
// Dests, of others the roots.
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
