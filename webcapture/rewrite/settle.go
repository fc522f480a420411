package rewrite

import (
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// rivals are what comes to have one key: entries by their index in the tree,
// additions by theirs in the edit.
type rivals struct{ entries, additions []int }

// settle turns what steps do to a tree into an edit of it. Entries and additions
// that come to have one key become one entry: the first of them, with the content
// sets of all (ISO 32000-2:2020, 14.10.3.2).
func (t *treeEdit) settle() (*nametree.Edit, error) {
	e := t.tree.Edit()
	for _, pair := range t.dropped {
		e.DropPair(pair[0], pair[1])
	}
	contested := t.contested()
	for _, key := range slices.Sorted(maps.Keys(contested)) {
		if err := t.settleKey(e, key, contested[key]); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// contested returns what there is under each key about which there is something
// to do.
func (t *treeEdit) contested() map[nametree.Key]*rivals {
	m := map[nametree.Key]*rivals{}
	at := func(k nametree.Key) *rivals {
		if m[k] == nil {
			m[k] = new(rivals)
		}
		return m[k]
	}
	for i, k := range t.key {
		r := at(k)
		r.entries = append(r.entries, i)
	}
	for i := range t.value {
		at(t.keyOf(i))
	}
	for i := range t.own {
		at(t.keyOf(i))
	}
	for k, a := range t.added {
		key := a.key
		if a.entry >= 0 {
			key = t.keyOf(a.entry)
		}
		r := at(key)
		r.additions = append(r.additions, k)
	}
	for _, d := range t.tree.Defects() {
		if d.Kind == nametree.DuplicateKey {
			at(t.keyOf(d.Entry))
		}
	}
	for key, r := range m {
		for i := range t.tree.All(key) {
			if _, moved := t.key[i]; !moved {
				r.entries = append(r.entries, i)
			}
		}
		slices.Sort(r.entries)
	}
	return m
}

// keyOf returns the key that an entry will have.
func (t *treeEdit) keyOf(i int) nametree.Key {
	if k, ok := t.key[i]; ok {
		return k
	}
	return t.tree.Entry(i).Key
}

// settleKey makes one entry, or none, of all that comes to have a key.
func (t *treeEdit) settleKey(e *nametree.Edit, key nametree.Key, r *rivals) error {
	list, err := t.claims(r)
	if err != nil {
		return err
	}
	for k, i := range r.entries {
		if k > 0 || len(list) == 0 {
			e.Remove(i)
		}
	}
	if len(list) == 0 {
		return nil
	}
	at, err := t.stringFor(key, list[0])
	if err != nil {
		return err
	}
	if len(r.entries) == 0 {
		value, err := t.valueOf(list)
		e.Add(key, at, value)
		return err
	}
	i := r.entries[0]
	if t.tree.Entry(i).Key != key {
		e.SetKey(i, key, at)
	}
	same, err := t.holds(i, list)
	if err != nil || same && !t.own[i] {
		return err
	}
	var value []byte
	if same {
		value, err = t.ownObject(t.tree.Entry(i).Value)
	} else {
		value, err = t.valueOf(list)
	}
	e.SetValue(i, value)
	return err
}

// claims returns the content sets of all that comes to have a key, each once. An
// entry alone keeps what it has.
func (t *treeEdit) claims(r *rivals) ([]object.Object, error) {
	var list []object.Object
	for _, i := range r.entries {
		sets, err := t.elements(i)
		if soft(err) != nil {
			return nil, err
		}
		if err != nil { // an array that cannot be read stays what it is
			sets = []object.Object{t.tree.Entry(i).Value}
		}
		list = append(list, sets...)
	}
	if len(r.entries) == 1 && len(r.additions) == 0 {
		return list, nil
	}
	for _, k := range r.additions {
		list = append(list, t.added[k].set)
	}
	list, err := t.p.union(list)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var own []object.Object
	for _, o := range list {
		text, err := t.ownObject(o)
		if err != nil {
			return nil, err
		}
		if seen[string(text)] {
			continue
		}
		seen[string(text)] = true
		if o, _, err = object.Parse(text, 0); err != nil {
			return nil, err
		}
		own = append(own, o)
	}
	return own, nil
}

// holds reports whether the value of an entry, as stored, is these content
// sets.
func (t *treeEdit) holds(i int, list []object.Object) (bool, error) {
	stored, err := t.p.elements(t.tree.Entry(i).Value)
	if err != nil {
		return len(list) == 1, soft(err)
	}
	return slices.EqualFunc(stored, list, object.Same), nil
}

// valueOf returns the value that leads to some content sets: the one, or a
// reference to an array of them.
func (t *treeEdit) valueOf(list []object.Object) ([]byte, error) {
	if len(list) == 1 {
		return t.ownObject(list[0])
	}
	text := []byte{'['}
	for k, o := range list {
		if k > 0 {
			text = append(text, ' ')
		}
		ref, err := t.ownObject(o)
		if err != nil {
			return nil, err
		}
		text = append(text, ref...)
	}
	return t.put(append(text, ']')), nil
}

// ownObject returns a reference to an object, which becomes one of its own if it
// is a dictionary or an array that stands in a tree. A content set of which the
// other tree has the object is that; one that stands in both becomes one object.
func (t *treeEdit) ownObject(o object.Object) ([]byte, error) {
	text := o.Append(nil)
	if k := o.Kind(); k != object.Dictionary && k != object.Array {
		return text, nil
	}
	ref := t.p.owned[string(text)]
	if ref == nil {
		twin, err := t.twin(o)
		if err != nil {
			return nil, err
		}
		if ref = twin.Append(nil); twin.Num == 0 {
			body, err := t.p.tidied(o)
			if err != nil {
				return nil, err
			}
			ref = t.put(body)
		}
		t.p.owned[string(text)] = ref
		t.p.stage.owned = append(t.p.stage.owned, string(text))
	}
	return ref, nil
}

// twin returns the object that the other tree has of a content set that stands in
// this one; Num is 0 if there is none.
func (t *treeEdit) twin(o object.Object) (object.Ref, error) {
	other := t.p.trees[1-t.name]
	keys, err := t.p.ownKeys(other.name, o)
	if err != nil {
		return object.Ref{}, err
	}
	for _, key := range keys {
		for i := range other.tree.All(key) {
			list, err := other.elements(i)
			if soft(err) != nil {
				return object.Ref{}, err
			}
			for _, e := range list {
				r, err := t.p.reader.Resolve(e)
				if soft(err) != nil {
					return object.Ref{}, err
				}
				if ref, ok := e.Ref(); ok && err == nil && object.Same(r, o) {
					return ref, nil
				}
			}
		}
	}
	return object.Ref{}, nil
}

// put makes text a new object and returns the reference to it.
func (t *treeEdit) put(text []byte) []byte {
	ref := t.p.stage.New()
	t.p.stage.Put(ref, text)
	t.p.plan.fresh[ref] = true
	return ref.Append(nil)
}
