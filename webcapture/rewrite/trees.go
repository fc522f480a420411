package rewrite

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// treeEdit holds the changes of steps to URLS or IDS. Entries are identified by index. If several get the same key,
// mergeByKey merges them.
type treeEdit struct {
	p    *planner
	name webcapture.TreeName
	tree *nametree.Tree // empty if the file has no such tree
	root object.Object  // null if the file has no such tree

	key      map[int]nametree.Key    // new keys of entries
	value    map[int][]object.Object // new content sets of entries; none if the entry is removed
	indirect map[int]bool            // entries whose values become indirect
	added    []addition
	dropped  [][2]int // removed stray pairs, by node and index
	touched  bool
	removed  bool

	pairs map[[2]int]nametree.Defect // see strayPair
}

// addition is a content set that gets an additional key.
type addition struct {
	key nametree.Key
	set object.Object
}

func newTreeEdit(p *planner, name webcapture.TreeName) *treeEdit {
	e := &treeEdit{
		p: p, name: name, tree: new(nametree.Tree),
		key: map[int]nametree.Key{}, value: map[int][]object.Object{}, indirect: map[int]bool{},
	}
	if t := p.db.Tree(name); t != nil {
		e.tree, e.root = t.Tree, t.Root
	}
	return e
}

// elements returns the content sets in the value of entry i after the steps so far.
func (t *treeEdit) elements(i int) ([]object.Object, error) {
	if v, ok := t.value[i]; ok {
		return v, nil
	}
	return t.p.elements(t.tree.Entry(i).Value)
}

// elements returns the content sets in a value, as stored.
func (p *planner) elements(value object.Object) ([]object.Object, error) {
	var list []object.Object
	for o, err := range p.reader.Values(value) {
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// move moves a content set from entry i to another key.
func (t *treeEdit) move(i int, set object.Ref, key nametree.Key) error {
	if err := t.takeOutOf(i, set); err != nil {
		return object.IgnoreMalformed(err)
	}
	t.add(key, object.MakeRef(set))
	return nil
}

// takeOutOf removes a content set from entry i.
func (t *treeEdit) takeOutOf(i int, set object.Ref) error {
	list, err := t.elements(i)
	if err == nil {
		t.value[i] = slices.DeleteFunc(slices.Clone(list), isRef(set))
		t.touched = true
	}
	return err
}

func isRef(ref object.Ref) func(object.Object) bool {
	return func(o object.Object) bool { return object.Same(o, object.MakeRef(ref)) }
}

// add gives a content set an additional key.
func (t *treeEdit) add(key nametree.Key, set object.Object) {
	t.added = append(t.added, addition{key, set})
	t.touched = true
}

// takeOut removes a content set from all entries with a key.
func (t *treeEdit) takeOut(key nametree.Key, set object.Ref) error {
	for i := range t.tree.All(key) {
		if err := t.takeOutOf(i, set); err != nil {
			return object.IgnoreMalformed(err)
		}
	}
	return nil
}

// tidy removes null and repeated elements from a value.
func (t *treeEdit) tidy(i int) error {
	list, err := t.elements(i)
	if err != nil {
		return err
	}
	t.value[i], err = t.p.distinct(list)
	return err
}

// distinct returns a list without null and repeated references.
func (p *planner) distinct(list []object.Object) ([]object.Object, error) {
	seen := map[object.Ref]bool{}
	var out []object.Object
	for _, o := range list {
		if ref, ok := o.Ref(); ok {
			if seen[ref] {
				continue
			}
			seen[ref] = true
			if p.unseen[ref] { // a new object, which the file does not have yet
				out = append(out, o)
				continue
			}
		}
		r, err := p.reader.Resolve(o)
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		if err == nil && r.IsNull() {
			continue
		}
		out = append(out, o)
	}
	return out, nil
}

// addOwnKeys gives a content set the keys that it should have in a tree, and returns them; see [rule.SetTable.OwnKeys].
func (p *planner) addOwnKeys(name webcapture.TreeName, o object.Object) ([]nametree.Key, error) {
	var cs webcapture.ContentSet
	if err := p.reader.Read(o, &cs); err != nil || !cs.Recognized() {
		return nil, object.IgnoreMalformed(err)
	}
	if p.setTable == nil {
		if err := p.readSets(); err != nil {
			return nil, err
		}
	}
	keys, err := p.setTable.OwnKeys(p.reader, name, o, &cs)
	for _, key := range keys {
		p.trees[name].add(key, o)
	}
	return keys, err
}

// readSets makes the table of the content sets in the trees, and others.
func (p *planner) readSets(others ...object.Ref) (err error) {
	if p.setTable, err = rule.NewSetTable(p.file, p.db, p.file.NewReader(), others...); err == nil {
		p.setTable.Base, p.setTable.Prefer = p.base, p.opt.Prefer
	}
	return err
}
