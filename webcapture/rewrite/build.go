package rewrite

import (
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
	if err := p.stageSets(); err != nil {
		return err
	}
	if ok, err := p.commit(""); err != nil || !ok {
		p.leave(func(s Step) bool { return s.Tree == "" }, "Something else in the file has the content set for a node.")
		if err != nil {
			return err
		}
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
	name := t.name.String()
	if t.removed && len(t.added) == 0 {
		p.plan.expect[t.name] = &expectation{gone: true}
		return []object.Setting{{Key: name}}, nil
	}
	if !t.touched {
		return nil, nil
	}
	e, err := t.mergeByKey()
	if err != nil {
		return nil, err
	}
	names, err := p.write(name, e, t.root, func(s Step) bool { return s.Tree == name })
	if err == nil && names != nil {
		p.plan.expect[t.name] = &expectation{edit: e}
	}
	return names, err
}

// write writes the edit of a name tree whose root was old, and returns the entry of
// the name dictionary, none if that stays. If the tree cannot be written, or nothing
// in it changes, the steps that are its own are left, and write returns nil.
func (p *planner) write(name string, e *nametree.Edit, old object.Object, own func(Step) bool) ([]object.Setting, error) {
	root, err := e.Write(p.reader, p.stage, old)
	if refused, ok := err.(*nametree.Refused); ok {
		p.discard()
		p.leave(own, refused.Error())
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	entry := rooted(name, old, root)
	if len(p.stage.refs)+len(entry) == 0 {
		p.leave(own, "The tree is empty, and stays as it is.")
		return nil, nil
	}
	ok, err := p.commit(name)
	if err != nil || !ok {
		p.leave(own, "Something else in the file has nodes of the tree for its own.")
		return nil, err
	}
	return entry, nil
}

// rooted returns the entry of the name dictionary for a tree whose root was old.
func rooted(name string, old, root object.Object) []object.Setting {
	if object.Same(old, root) {
		return []object.Setting{}
	}
	return []object.Setting{{Key: name, Value: root.Append(nil)}}
}

// buildDests is buildTree for the named destinations.
func (p *planner) buildDests() ([]object.Setting, error) {
	t, err := p.destinations()
	if err != nil {
		return nil, err
	}
	isRename := func(s Step) bool { return s.Action == audit.RenameDestination }
	e, left := p.dests.edit(t)
	if len(left) > 0 {
		p.leave(func(s Step) bool { return isRename(s) && left[s.Old] }, "Several names may have become this one.")
	}
	if e == nil {
		return nil, nil
	}
	own := func(s Step) bool { return isRename(s) || s.Tree == "Dests" }
	return p.write("Dests", e, p.db.Names.Lookup("Dests"), own)
}

// destinations returns the tree of named destinations, one without entries if the
// file has none.
func (p *planner) destinations() (*nametree.Tree, error) {
	if p.dests.tree != nil {
		return p.dests.tree, nil
	}
	var err error
	p.dests.tree, err = nametree.ReadWithin(p.reader, p.db.Names.Lookup("Dests"), p.plan.file.TreeBudget())
	return p.dests.tree, err
}

// putNames puts the name dictionary with other entries, or the catalog that it
// stands in.
func (p *planner) putNames(changes []object.Setting) error {
	catalog := p.inCatalog
	if len(changes) > 0 {
		text := p.db.Names.AppendWith(nil, changes...)
		if ref, ok := p.db.Catalog.Lookup("Names").Ref(); ok && p.db.NamesKind == object.Dictionary {
			p.plan.update.Put(ref, text)
		} else {
			catalog = append(catalog, object.Setting{Key: "Names", Value: text})
		}
	}
	if len(catalog) > 0 {
		p.plan.update.Put(p.plan.file.Catalog(), p.db.Catalog.AppendWith(nil, catalog...))
	}
	return nil
}

// leave makes findings that are left of the steps that which holds.
func (p *planner) leave(which func(Step) bool, reason string) {
	p.plan.Steps.deleteFunc(func(s Step) bool {
		if !which(s) {
			return false
		}
		for _, n := range s.findings {
			if f := p.plan.Report.Findings.At(int(n)); f.Level() > audit.Note {
				p.plan.Left = append(p.plan.Left, Left{f, reason})
			}
		}
		return true
	})
}
