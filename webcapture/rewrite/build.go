package rewrite

import (
	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// sink adds objects to an update, and counts them.
type sink struct {
	*webcapture.Update
	puts int
}

// Put implements object.Sink.
func (s *sink) Put(ref object.Ref, body []byte) {
	s.puts++
	s.Update.Put(ref, body)
}

// build converts the changes of steps into objects.
func (p *planner) build() error {
	for _, put := range []func() error{p.putSets, p.tagImages, p.restoreLinks, p.putTrees} {
		if err := put(); err != nil {
			return err
		}
	}
	p.draft.sort()
	return nil
}

// putTrees writes the changed trees, and the name dictionary.
func (p *planner) putTrees() error {
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

// buildTree writes a tree that steps change. It returns the new entry of the name dictionary; empty if that entry
// does not change.
func (p *planner) buildTree(t *treeEdit) ([]object.Setting, error) {
	name := t.name.String()
	if t.removed && len(t.added) == 0 {
		return []object.Setting{{Key: name}}, nil
	}
	if !t.touched {
		return nil, nil
	}
	e := t.tree.Edit()
	if t.tree.IsWhole() { // write refuses any other tree
		if err := p.mergeByKey(t, e); err != nil {
			return nil, err
		}
	}
	return p.write(name, e, t.root, func(s Step) bool { return s.Tree == name })
}

// write writes an edited name tree whose root was old. It returns the new entry of the name dictionary; none if that
// entry stays the same. If the tree does not change or cannot be written, write drops the steps that own selects. New
// objects take the place of nodes that something else in the file shares with the tree.
func (p *planner) write(
	name string, e *nametree.Edit, old object.Object, own func(Step) bool,
) ([]object.Setting, error) {
	shared, err := p.nodesOutside(name)
	if err != nil {
		return nil, err
	}
	e.Replace(shared)
	before := p.sink.puts
	root, err := e.Write(p.reader, p.sink, old)
	same := object.Same(old, root)
	if err == nil && same && p.sink.puts == before {
		err = &nametree.Refused{Reason: "it is empty and does not change"}
	}
	if refused, ok := err.(*nametree.Refused); ok {
		p.leave(own, refused.Error())
		return nil, nil
	}
	if err != nil || same {
		return nil, err
	}
	return []object.Setting{{Key: name, Value: root.Append(nil)}}, nil
}

// nodesOutside returns the nodes of all name trees except one: all nodes of URLS, IDS, and Dests, but only the roots of
// other trees.
func (p *planner) nodesOutside(tree string) (map[object.Ref]bool, error) {
	nodes := map[object.Ref]bool{}
	for name, root := range p.db.Names.All() {
		if ref, ok := root.Ref(); ok && string(name) != tree {
			nodes[ref] = true
		}
	}
	dests, err := p.destinations()
	if err != nil {
		return nil, err
	}
	trees := map[string]*nametree.Tree{"Dests": dests}
	for _, t := range p.trees {
		trees[t.name.String()] = t.tree
	}
	for name, t := range trees {
		for i := 0; name != tree && i < t.NodeCount(); i++ {
			nodes[t.Node(i).Ref] = true
		}
	}
	return nodes, nil
}

// buildDests is like buildTree, for the named destinations.
func (p *planner) buildDests() ([]object.Setting, error) {
	t, err := p.destinations()
	if err != nil {
		return nil, err
	}
	isRename := func(s Step) bool { return s.Action == rule.RenameDestination }
	e, left := p.dests.edit(t)
	if len(left) > 0 {
		p.leave(func(s Step) bool { return isRename(s) && left[s.Old] }, "Several names may have become this one, "+
			"or the file does not have this name exactly once.")
	}
	if e == nil {
		return nil, nil
	}
	own := func(s Step) bool { return isRename(s) || s.Tree == "Dests" }
	return p.write("Dests", e, p.db.Names.Lookup("Dests"), own)
}

// destinations returns the tree of named destinations. It has no entries if the file has no such tree.
func (p *planner) destinations() (*nametree.Tree, error) {
	if p.dests.tree != nil {
		return p.dests.tree, nil
	}
	var err error
	p.dests.tree, err = nametree.Read(p.reader, p.db.Names.Lookup("Dests"), p.file.Meter().Keep)
	return p.dests.tree, err
}

// putNames writes the name dictionary with changed entries. If the dictionary is direct, it writes the catalog.
func (p *planner) putNames(changes []object.Setting) error {
	catalog := p.catalog
	if len(changes) > 0 {
		text := p.db.Names.AppendWith(nil, changes...)
		if ref, ok := p.db.Catalog.Lookup("Names").Ref(); ok && p.db.NamesKind == object.Dictionary {
			p.update.Put(ref, text)
		} else {
			catalog = append(catalog, object.Setting{Key: "Names", Value: text})
		}
	}
	if len(catalog) > 0 {
		p.update.Put(p.file.Catalog(), p.db.Catalog.AppendWith(nil, catalog...))
	}
	return nil
}
