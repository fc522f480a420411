package rewrite

import (
	"maps"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// builder turns edits into changed objects.
type builder struct {
	*view
	*edits
	*draft
	stage      *stage
	written    map[object.Ref]bool   // objects in the update
	references map[string]object.Ref // new objects for direct content sets, by the text of the set
	copies     map[string]object.Ref // content sets of entries by their essence; see existing
}

func newBuilder(v *view, e *edits, d *draft) *builder {
	return &builder{
		view: v, edits: e, draft: d,
		stage: &stage{update: d.update}, written: map[object.Ref]bool{}, references: map[string]object.Ref{},
	}
}

// build converts the edits into changed objects.
func (b *builder) build() error {
	if err := b.stageSets(); err != nil {
		return err
	}
	if err := b.tagImages(); err != nil {
		return err
	}
	if err := b.restoreLinks(); err != nil {
		return err
	}
	if ok, err := b.commit(""); err != nil || !ok {
		b.leave(func(s Step) bool { return s.Tree == "" }, "Something else in the file uses the content set as a "+
			"tree node.")
		if err != nil {
			return err
		}
	}
	var names []object.Setting
	for _, t := range b.trees {
		s, err := b.buildTree(t)
		if err != nil {
			return err
		}
		names = append(names, s...)
	}
	s, err := b.buildDests()
	if err != nil {
		return err
	}
	return b.putNames(append(names, s...))
}

// buildTree writes a tree that steps change. It returns the new entry of the name dictionary; empty if that entry
// does not change.
func (b *builder) buildTree(t *treeEdit) ([]object.Setting, error) {
	name := t.name.String()
	if t.removed && len(t.added) == 0 {
		b.expect[t.name] = &expectation{gone: true}
		return []object.Setting{{Key: name}}, nil
	}
	if !t.touched {
		return nil, nil
	}
	e, err := b.mergeByKey(t)
	if err != nil {
		return nil, err
	}
	names, err := b.write(name, e, t.root, func(s Step) bool { return s.Tree == name })
	if err == nil && names != nil {
		b.expect[t.name] = &expectation{edit: e}
	}
	return names, err
}

// write writes an edited name tree whose root was old. It returns the new entry of the name dictionary. The result is
// empty, and not nil, if that entry stays the same. It is nil if the tree does not change or cannot be written: write
// then drops the steps that own selects.
func (b *builder) write(
	name string, e *nametree.Edit, old object.Object, own func(Step) bool,
) ([]object.Setting, error) {
	entry, err := b.writeOnce(name, e, old)
	if err == errShared { // new objects take the place of shared nodes
		var foreign map[object.Ref]bool
		if foreign, err = b.nodesOutside(name); err == nil {
			maps.Copy(foreign, b.written)
			e.Replace(foreign)
			entry, err = b.writeOnce(name, e, old)
		}
	}
	if refused, ok := err.(*nametree.Refused); ok {
		b.discard()
		b.leave(own, refused.Error())
		return nil, nil
	}
	return entry, err
}

// errShared means that something else in the file uses nodes of a tree.
var errShared = &nametree.Refused{Reason: "something else in the file shares nodes with the tree"}

// writeOnce is like write, but returns the reason why the tree does not change or cannot be written.
func (b *builder) writeOnce(name string, e *nametree.Edit, old object.Object) ([]object.Setting, error) {
	root, err := e.Write(b.reader, b.stage, old)
	if err != nil {
		return nil, err
	}
	entry := rooted(name, old, root)
	if len(b.stage.refs)+len(entry) == 0 {
		return nil, &nametree.Refused{Reason: "it is empty and does not change"}
	}
	ok, err := b.commit(name)
	if err == nil && !ok {
		err = errShared
	}
	return entry, err
}

// rooted returns the new entry of the name dictionary for a tree whose root was old. The result is
// empty, and not nil, if the entry does not change.
func rooted(name string, old, root object.Object) []object.Setting {
	if object.Same(old, root) {
		return []object.Setting{}
	}
	return []object.Setting{{Key: name, Value: root.Append(nil)}}
}

// buildDests is like buildTree, for the named destinations.
func (b *builder) buildDests() ([]object.Setting, error) {
	t, err := b.destinations()
	if err != nil {
		return nil, err
	}
	isRename := func(s Step) bool { return s.Action == rule.RenameDestination }
	e, left := b.dests.edit(t)
	if len(left) > 0 {
		b.leave(func(s Step) bool { return isRename(s) && left[s.Old] }, "Several names may have become this one, "+
			"or the file does not have this name exactly once.")
	}
	if e == nil {
		return nil, nil
	}
	own := func(s Step) bool { return isRename(s) || s.Tree == "Dests" }
	return b.write("Dests", e, b.db.Names.Lookup("Dests"), own)
}

// destinations returns the tree of named destinations. It has no entries if the file has no such tree.
func (b *builder) destinations() (*nametree.Tree, error) {
	if b.dests.tree != nil {
		return b.dests.tree, nil
	}
	var err error
	b.dests.tree, err = nametree.Read(b.reader, b.db.Names.Lookup("Dests"), b.file.Meter().Keep)
	return b.dests.tree, err
}

// putNames writes the name dictionary with changed entries. If the dictionary is direct, it writes the catalog.
func (b *builder) putNames(changes []object.Setting) error {
	catalog := b.catalog
	if len(changes) > 0 {
		text := b.db.Names.AppendWith(nil, changes...)
		if ref, ok := b.db.Catalog.Lookup("Names").Ref(); ok && b.db.NamesKind == object.Dictionary {
			b.update.Put(ref, text)
		} else {
			catalog = append(catalog, object.Setting{Key: "Names", Value: text})
		}
	}
	if len(catalog) > 0 {
		b.update.Put(b.file.Catalog(), b.db.Catalog.AppendWith(nil, catalog...))
	}
	return nil
}
