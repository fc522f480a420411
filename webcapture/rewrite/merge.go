package rewrite

import (
	"cmp"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// Entries with the same new key are merged. Steps record only the new key of each entry, and additions; no step
// depends on another. For each affected key, groups finds the entries and additions that get the key. mergeKey makes
// one entry of each group: the first entry stays, and gets the new key and all content sets of the group, each once.
// The other entries are removed. Entries outside of groups are not read. For example, of these entries, steps change
// the keys of 0 and 2 to (http://a.example/), which is also the key of 1:
//
//	entry  key                    value
//	0      (HTTP://a.example/)    5 0 R
//	1      (http://a.example/)    30 0 R, an array of 6 0 R and 7 0 R
//	2      (http://a.example:80/) 6 0 R
//
// They become one entry. A group with one content set has the set itself as its value, not an array.
//
//	0      (http://a.example/)    40 0 R, a new array of 5 0 R, 6 0 R and 7 0 R

// arrival is an entry or an addition with an affected key.
type arrival struct {
	key      nametree.Key // its new key
	entry    int32        // index in the tree; -1 for an addition
	addition int32        // index in the edit; -1 for an entry
}

// compare orders arrivals by key. Of those with one key, entries come first.
func (a arrival) compare(b arrival) int {
	if c := strings.Compare(string(a.key), string(b.key)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.addition, b.addition), cmp.Compare(a.entry, b.entry))
}

// mergeByKey converts the steps of a tree into an edit of the tree. It merges entries and additions with the same new
// key (ISO 32000-2:2020, 14.10.3.2). It reads entries of which only the key changes in file order, which is faster:
// there may be a million of them. Objects that are made for the other keys are numbered in the order of keys.
func (p *planner) mergeByKey(t *treeEdit, e *nametree.Edit) error {
	for _, pair := range t.dropped {
		e.DropPair(pair[0], pair[1])
	}
	groups := t.groups()
	for _, k := range p.file.OrderByPosition(len(groups), func(k int) (ref object.Ref) {
		if first := groups[k][0]; len(groups[k]) == 1 && t.isRenamed(first) {
			ref, _ = t.tree.Entry(int(first.entry)).Value.Ref()
		}
		return ref
	}) {
		if err := p.mergeKey(t, e, groups[k]); err != nil {
			return err
		}
	}
	return nil
}

// isRenamed reports whether an arrival is an entry of which only the key changes.
func (t *treeEdit) isRenamed(a arrival) bool {
	_, changed := t.value[int(a.entry)]
	return a.entry >= 0 && !changed && !t.indirect[int(a.entry)]
}

// groups returns the affected entries and additions by key, in the order of keys, with the entries that already have
// the key.
func (t *treeEdit) groups() (groups [][]arrival) {
	for list := t.arrivals(); len(list) > 0; {
		n, key := 1, list[0].key
		for n < len(list) && list[n].key == key {
			n++
		}
		group := list[:n:n]
		for i := range t.tree.All(key) {
			if _, moved := t.key[i]; !moved {
				group = append(group, arrival{key, int32(i), -1})
			}
		}
		if len(group) > n {
			slices.SortFunc(group, arrival.compare)
			group = slices.Compact(group)
		}
		groups = append(groups, group)
		list = list[n:]
	}
	return groups
}

// arrivals returns the affected entries and additions, sorted. Entries with repeated keys count as affected.
func (t *treeEdit) arrivals() []arrival {
	list := make([]arrival, 0, len(t.key)+len(t.added))
	for i, k := range t.key {
		list = append(list, arrival{k, int32(i), -1})
	}
	for i := range t.value {
		list = append(list, arrival{t.keyOf(i), int32(i), -1})
	}
	for i := range t.indirect {
		list = append(list, arrival{t.keyOf(i), int32(i), -1})
	}
	for d := range t.tree.Defects() {
		if d.Kind == nametree.DuplicateKey {
			list = append(list, arrival{t.keyOf(d.Entry), int32(d.Entry), -1})
		}
	}
	for k, a := range t.added {
		list = append(list, arrival{a.key, -1, int32(k)})
	}
	slices.SortFunc(list, arrival.compare)
	return slices.Compact(list)
}

// keyOf returns the key of entry i after the rewrite.
func (t *treeEdit) keyOf(i int) nametree.Key {
	if k, ok := t.key[i]; ok {
		return k
	}
	return t.tree.Entry(i).Key
}

// mergeKey merges a group into one entry. If the group has no content sets, it removes all its entries.
func (p *planner) mergeKey(t *treeEdit, e *nametree.Edit, group []arrival) error {
	list, err := p.setsOf(t, group)
	if err != nil {
		return err
	}
	kept, key := -1, group[0].key
	for _, a := range group {
		switch i := int(a.entry); {
		case i < 0:
		case kept < 0 && len(list) > 0:
			kept = i
		default:
			e.Remove(i)
		}
	}
	if len(list) == 0 {
		return nil
	}
	if kept < 0 {
		e.Add(key, p.valueOf(list))
		return nil
	}
	if t.tree.Entry(kept).Key != key {
		e.SetKey(kept, key)
	}
	same, err := p.holds(t, kept, list)
	if err == nil && !same {
		e.SetValue(kept, p.valueOf(list))
	}
	return err
}

// setsOf returns the content sets of a group, each once. A direct content set stays direct, unless a step makes it
// indirect, or an entry merged with others has a copy of an object. A group with only one entry keeps its value.
func (p *planner) setsOf(t *treeEdit, group []arrival) ([]object.Object, error) {
	var list []object.Object
	isMerged := len(group) > 1
	for _, a := range group {
		if a.entry < 0 {
			o, err := p.reference(t.added[a.addition].set)
			if err != nil {
				return nil, err
			}
			list = append(list, o)
			continue
		}
		i := int(a.entry)
		sets, err := t.elements(i)
		if object.IgnoreMalformed(err) != nil {
			return nil, err
		}
		if err != nil { // an unreadable array stays
			sets = []object.Object{t.tree.Entry(i).Value}
		}
		for _, o := range sets {
			switch err = nil; {
			case t.indirect[i]:
				o, err = p.reference(o)
			case isMerged:
				o, err = p.existing(o)
			}
			if err != nil {
				return nil, err
			}
			list = append(list, o)
		}
	}
	if !isMerged {
		return list, nil
	}
	list, err := p.distinct(list)
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(o object.Object) bool {
		text := string(o.Append(nil))
		repeated := seen[text]
		seen[text] = true
		return repeated
	}), err
}

// holds reports whether the stored value of entry i consists of exactly these content sets.
func (p *planner) holds(t *treeEdit, i int, list []object.Object) (bool, error) {
	stored, err := p.elements(t.tree.Entry(i).Value)
	if err != nil {
		return len(list) == 1, object.IgnoreMalformed(err)
	}
	return slices.EqualFunc(stored, list, object.Same), nil
}

// valueOf returns the value for content sets: a single one, or a reference to an array of several.
func (p *planner) valueOf(list []object.Object) []byte {
	if len(list) == 1 {
		return list[0].Append(nil)
	}
	text := []byte{'['}
	for k, o := range list {
		if k > 0 {
			text = append(text, ' ')
		}
		text = o.Append(text)
	}
	return p.put(append(text, ']')).Append(nil)
}

// reference returns a reference to an object. Equal direct content sets become one new object, or the object that
// another entry has.
func (p *planner) reference(o object.Object) (object.Object, error) {
	o, err := p.existing(o)
	if err != nil || o.Kind() != object.Dictionary {
		return o, err
	}
	text := string(o.Append(nil))
	ref, ok := p.references[text]
	if !ok {
		ref = p.put([]byte(text))
		p.references[text] = ref
	}
	return object.MakeRef(ref), nil
}

// existing returns a reference to the content set of another entry that equals a direct one. It returns o if no entry
// refers to such an object.
func (p *planner) existing(o object.Object) (object.Object, error) {
	if o.Kind() != object.Dictionary {
		return o, nil
	}
	if p.copies == nil {
		p.copies = map[string]object.Ref{}
		for c, err := range p.file.Contents(p.db).All(p.file.NewReader()) {
			switch {
			case object.IgnoreMalformed(err) != nil:
				return o, err
			case err != nil || c.Set == nil || c.Ref.Num == 0 || !c.Set.Recognized():
				continue
			}
			text := string(c.Set.Object.AppendNormal(nil))
			if _, known := p.copies[text]; !known {
				p.copies[text] = c.Ref
			}
		}
	}
	var cs webcapture.ContentSet
	if err := p.reader.Read(o, &cs); err != nil || !cs.Recognized() {
		return o, object.IgnoreMalformed(err)
	}
	if ref, ok := p.copies[string(cs.Object.AppendNormal(nil))]; ok {
		o = object.MakeRef(ref)
	}
	return o, nil
}

// put adds text as a new object and returns its reference.
func (p *planner) put(text []byte) object.Ref {
	ref := p.sink.New()
	p.sink.Put(ref, text)
	p.unseen[ref] = true
	return ref
}
