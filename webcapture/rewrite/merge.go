package rewrite

import (
	"maps"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
)

// Entries are merged by key. Steps note only which key each entry will have, and what
// is added; they need not know of each other. Here is URLS of a file into which a site
// was captured three times, by tools that spell URLs in different ways:
//
//	entry  key                    value
//	0      (HTTP://a.example/)    5 0 R
//	1      (http://a.example/)    30 0 R, an array of 6 0 R and 7 0 R
//	2      (http://a.example:80/) 6 0 R
//	3      (http://b.example/)    8 0 R
//
// The steps change the keys of entries 0 and 2, and add content set 9 0 R:
//
//	t.key    0: (http://a.example/), 2: (http://a.example/)
//	t.added  9 0 R under (http://c.example/)
//
// CURRENT STATE: nothing in the tree has changed. For each key with something to do,
// sharedKeys gathers what comes to have it:
//
//	(http://a.example/)  entries 0, 1, 2
//	(http://c.example/)  addition 0
//
// mergeKey makes one entry of each group: the first entry stays, and gets the key and
// the content sets of all, each once. The others go. What is in no group, such as entry
// 3, is not looked at.
//
//	entry  key                    value
//	0      (http://a.example/)    40 0 R, a new array of 5 0 R, 6 0 R and 7 0 R
//	3      (http://b.example/)    8 0 R
//	new    (http://c.example/)    9 0 R
//
// The Edit sorts them when it is written. A group with one content set has that as its
// value, not an array; a group without any has no entry.

// sameKey is what comes to have one key: entries by their index in the tree,
// additions by theirs in the edit.
type sameKey struct{ entries, additions []int }

// mergeByKey turns what steps do to a tree into an edit of it. Entries and additions
// that come to have one key become one entry: the first of them, with the content
// sets of all (ISO 32000-2:2020, 14.10.3.2).
func (t *treeEdit) mergeByKey() (*nametree.Edit, error) {
	e := t.tree.Edit()
	for _, pair := range t.dropped {
		e.DropPair(pair[0], pair[1])
	}
	sharedKeys := t.sharedKeys()
	for _, key := range t.mergeOrder(sharedKeys) {
		if err := t.mergeKey(e, key, sharedKeys[key]); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// mergeOrder returns the keys in the order in which they are merged. Of most nothing but
// the key changes: a million of these are read fastest in the order of the file. The others
// make objects, which get their numbers in the order of keys.
func (t *treeEdit) mergeOrder(m map[nametree.Key]*sameKey) []nametree.Key {
	var renamed, others []nametree.Key
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if t.isRenamed(m[key]) {
			renamed = append(renamed, key)
		} else {
			others = append(others, key)
		}
	}
	order := make([]nametree.Key, 0, len(m))
	for _, k := range t.p.plan.file.OrderByPosition(len(renamed), func(k int) object.Ref {
		ref, _ := t.tree.Entry(m[renamed[k]].entries[0]).Value.Ref()
		return ref
	}) {
		order = append(order, renamed[k])
	}
	return append(order, others...)
}

// isRenamed reports whether what comes to have a key is one entry as it is.
func (t *treeEdit) isRenamed(r *sameKey) bool {
	if len(r.entries) != 1 || len(r.additions) > 0 || t.indirect[r.entries[0]] {
		return false
	}
	_, changed := t.value[r.entries[0]]
	return !changed
}

// sharedKeys returns what comes to have each key about which there is something to
// do.
func (t *treeEdit) sharedKeys() map[nametree.Key]*sameKey {
	m := map[nametree.Key]*sameKey{}
	at := func(k nametree.Key) *sameKey {
		if m[k] == nil {
			m[k] = new(sameKey)
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
	for i := range t.indirect {
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
	for d := range t.tree.Defects() {
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

// mergeKey makes one entry, or none, of all that comes to have a key.
func (t *treeEdit) mergeKey(e *nametree.Edit, key nametree.Key, r *sameKey) error {
	list, err := t.setsOf(r)
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
	if err != nil || same && !t.indirect[i] {
		return err
	}
	var value []byte
	if same {
		value, err = t.reference(t.tree.Entry(i).Value)
	} else {
		value, err = t.valueOf(list)
	}
	e.SetValue(i, value)
	return err
}

// setsOf returns the content sets of all that comes to have a key, each once. An
// entry alone keeps what it has.
func (t *treeEdit) setsOf(r *sameKey) ([]object.Object, error) {
	var list []object.Object
	for _, i := range r.entries {
		sets, err := t.elements(i)
		if object.IgnoreMalformed(err) != nil {
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
	list, err := t.p.distinct(list)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var own []object.Object
	for _, o := range list {
		text, err := t.reference(o)
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
		return len(list) == 1, object.IgnoreMalformed(err)
	}
	return slices.EqualFunc(stored, list, object.Same), nil
}

// valueOf returns the value that leads to some content sets: the one, or a
// reference to an array of them.
func (t *treeEdit) valueOf(list []object.Object) ([]byte, error) {
	if len(list) == 1 {
		return t.reference(list[0])
	}
	text := []byte{'['}
	for k, o := range list {
		if k > 0 {
			text = append(text, ' ')
		}
		ref, err := t.reference(o)
		if err != nil {
			return nil, err
		}
		text = append(text, ref...)
	}
	return t.put(append(text, ']')), nil
}

// reference returns a reference to an object, which becomes one of its own if it
// is a dictionary or an array that stands in a tree. A content set of which the
// other tree has the object is that; one that stands in both becomes one object.
func (t *treeEdit) reference(o object.Object) ([]byte, error) {
	text := o.Append(nil)
	if k := o.Kind(); k != object.Dictionary && k != object.Array {
		return text, nil
	}
	ref := t.p.references[string(text)]
	if ref == nil {
		copied, err := t.indirectCopy(o)
		if err != nil {
			return nil, err
		}
		if ref = copied.Append(nil); copied.Num == 0 {
			body, err := t.p.tidied(o)
			if err != nil {
				return nil, err
			}
			ref = t.put(body)
		}
		t.p.references[string(text)] = ref
		t.p.stage.references = append(t.p.stage.references, string(text))
	}
	return ref, nil
}

// indirectCopy returns the object that the other tree has of a content set that stands in
// this one; Num is 0 if there is none.
func (t *treeEdit) indirectCopy(o object.Object) (object.Ref, error) {
	other := t.p.trees[1-t.name]
	keys, err := t.p.ownKeys(other.name, o)
	if err != nil {
		return object.Ref{}, err
	}
	for _, key := range keys {
		for i := range other.tree.All(key) {
			list, err := other.elements(i)
			if object.IgnoreMalformed(err) != nil {
				return object.Ref{}, err
			}
			for _, e := range list {
				r, err := t.p.reader.Resolve(e)
				if object.IgnoreMalformed(err) != nil {
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
	t.p.plan.unseen[ref] = true
	return ref.Append(nil)
}
