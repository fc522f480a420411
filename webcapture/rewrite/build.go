package rewrite

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// build turns the edits into changed objects.
func (p *planner) build() error {
	if err := p.removeSets(); err != nil {
		return err
	}
	if err := p.refill(); err != nil {
		return err
	}
	if err := p.putSets(); err != nil {
		return err
	}
	var names []object.Setting
	for _, t := range p.trees {
		s, err := p.buildTree(t)
		if err != nil {
			return err
		}
		names = append(names, s...)
	}
	s, err := p.buildDests()
	if err != nil {
		return err
	}
	return p.putNames(append(names, s...))
}

// buildTree writes one of the two trees, if steps touch it. It returns the entry
// of the name dictionary, if that changes.
func (p *planner) buildTree(t *treeEdit) ([]object.Setting, error) {
	name := treeNames[t.which]
	switch {
	case t.removed && len(t.added) == 0:
		p.plan.expect[t.which] = &expectation{gone: true}
		return []object.Setting{{Key: name}}, nil
	case !t.touched:
		return nil, nil
	case p.shared():
		p.leave(func(s Step) bool { return s.Tree == name }, "The two trees share nodes.")
		return nil, nil
	}
	e, err := t.settle()
	if err != nil {
		return nil, err
	}
	inTree := func(s Step) bool { return s.Tree == name }
	before := p.plan.update.Len()
	root, err := e.Write(p.reader, p.plan.update, t.root)
	if refused, ok := err.(*nametree.Refused); ok {
		p.leave(inTree, refused.Error())
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if p.plan.update.Len() == before && len(rooted(name, t.root, root)) == 0 {
		p.leave(inTree, "The tree is empty, and stays as it is.")
		return nil, nil
	}
	p.plan.expect[t.which] = &expectation{edit: e}
	return rooted(name, t.root, root), nil
}

// shared reports whether the trees have a node in common, which cannot be changed
// for one of them alone.
func (p *planner) shared() bool {
	nodes := map[object.Ref]bool{}
	for i := range p.trees[urls].tree.NodeCount() {
		nodes[p.trees[urls].tree.Node(i).Ref] = true
	}
	delete(nodes, object.Ref{})
	for i := range p.trees[ids].tree.NodeCount() {
		if nodes[p.trees[ids].tree.Node(i).Ref] {
			return true
		}
	}
	return false
}

// rooted returns the entry of the name dictionary for a tree whose root was old.
func rooted(name string, old, root object.Object) []object.Setting {
	if string(old.Append(nil)) == string(root.Append(nil)) {
		return nil
	}
	return []object.Setting{{Key: name, Value: root.Append(nil)}}
}

// buildDests is buildTree for the named destinations.
func (p *planner) buildDests() ([]object.Setting, error) {
	if len(p.dests.names) == 0 {
		return nil, nil
	}
	stored := p.db.Names.Lookup("Dests")
	t, err := nametree.Read(p.reader, stored)
	if err != nil {
		return nil, err
	}
	e, left := p.dests.settle(t)
	isRename := func(s Step) bool { return s.Action == audit.RenameDestination.String() }
	if len(left) > 0 {
		p.leave(func(s Step) bool {
			return isRename(s) && slices.ContainsFunc(left, func(k nametree.Key) bool { return k.String() == s.Old })
		}, "Several names may have become this one.")
	}
	if e == nil {
		return nil, nil
	}
	root, err := e.Write(p.reader, p.plan.update, stored)
	if refused, ok := err.(*nametree.Refused); ok {
		p.leave(isRename, refused.Error())
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return rooted("Dests", stored, root), nil
}

// putNames puts the name dictionary with other entries, or the catalog that it
// stands in.
func (p *planner) putNames(changes []object.Setting) error {
	if len(changes) == 0 {
		return nil
	}
	text := p.db.Names.AppendWith(nil, changes...)
	if ref, ok := p.db.Catalog.Lookup("Names").Ref(); ok && p.db.NamesKind == object.Dictionary {
		p.plan.update.Put(ref, text)
		return nil
	}
	root := p.plan.file.Catalog()
	p.plan.update.Put(root, p.db.Catalog.AppendWith(nil, object.Setting{Key: "Names", Value: text}))
	return nil
}

// leave makes findings that are left of the steps that which holds.
func (p *planner) leave(which func(Step) bool, reason string) {
	p.plan.Steps = slices.DeleteFunc(p.plan.Steps, func(s Step) bool {
		if !which(s) {
			return false
		}
		for _, r := range s.Rules {
			if r.Level == audit.Note {
				continue
			}
			p.plan.Left = append(p.plan.Left, Left{audit.Finding{Rule: r, Place: s.Place, Message: s.Reason}, reason})
		}
		return true
	})
}
