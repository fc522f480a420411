package restore

import (
	"fmt"
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// Content sets that are brought back, with their keys.

// setIndex has the content sets that both files have, and how they are related.
type setIndex struct {
	is     map[object.Ref]object.Ref   // content sets of the file, by those of the original; Num 0: it stays away
	known  map[string]object.Ref       // content sets that the file has, by S and ID
	listed map[object.Ref]nametree.Key // pages and images in O of those that it had before, by the ID of the set
	joined map[object.Ref]bool         // content sets of the file that the original has, too
	isNew  map[object.Ref]bool         // content sets that came back

	elsewhere, differing []nametree.Key // IDs of content sets of the original, for Changes.Unmatched
}

func newSetIndex() setIndex {
	return setIndex{
		is: map[object.Ref]object.Ref{}, known: map[string]object.Ref{}, listed: map[object.Ref]nametree.Key{},
		joined: map[object.Ref]bool{}, isNew: map[object.Ref]bool{},
	}
}

// indexSets notes the content sets that the file has.
func (r *restoration) indexSets() error {
	refs, err := r.ContentSets()
	if err != nil {
		return err
	}
	for _, ref := range refs {
		var cs webcapture.ContentSet
		if err := r.file.reader.Read(object.MakeRef(ref), &cs); err != nil {
			if object.IgnoreMalformed(err) != nil {
				return err
			}
			continue
		}
		if cs.Recognized() {
			r.sets.note(ref, &cs)
		}
	}
	return nil
}

// note notes a content set of the file.
func (x *setIndex) note(ref object.Ref, cs *webcapture.ContentSet) {
	if cs.ID.OK() {
		x.known[identityOf(cs)] = ref
	}
	for m := range cs.Members() {
		if ref, ok := m.Ref(); ok {
			x.listed[ref] = nametree.Key(cs.ID.Bytes)
		}
	}
}

func identityOf(cs *webcapture.ContentSet) string { return cs.Subtype.String() + string(cs.ID.Bytes) }

// entries brings back the entries of a tree of the original.
func (r *restoration) entries(tree *webcapture.Tree) error {
	for _, e := range tree.Entries() {
		list, err := valuesOf(r.original.reader, e.Value)
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		for _, o := range list {
			if err := r.entry(tree.Name, e.Key, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// entry brings back one content set of an entry.
func (r *restoration) entry(name webcapture.TreeName, key nametree.Key, o object.Object) error {
	set, err := r.set(o)
	if err != nil || set.Num == 0 {
		return err
	}
	there, err := r.leadsTo(name, key, set)
	if err != nil || there {
		return err
	}
	if repaired, err := r.repaired(name, key, set); repaired || err != nil {
		return err
	}
	r.changes.Entries = append(r.changes.Entries, Entry{name, key, set})
	r.step(name.String(), rule.Place{Tree: name.String(), Set: set, Key: key}, key.String()+" "+set.String())
	return nil
}

// leadsTo reports whether a key of the file leads to a content set.
func (r *restoration) leadsTo(name webcapture.TreeName, key nametree.Key, set object.Ref) (bool, error) {
	t := r.file.db.Tree(name)
	if t == nil {
		return false, nil
	}
	for i := range t.All(key) {
		list, err := valuesOf(r.file.reader, t.Entry(i).Value)
		if object.IgnoreMalformed(err) != nil {
			return false, err
		}
		for _, o := range list {
			if ref, ok := o.Ref(); ok && ref == set {
				return true, nil
			}
		}
	}
	return false, nil
}

// repaired reports whether the file has a set under a key that is its own, while that of the
// original is not right: a repair would move what is brought back there once more.
func (r *restoration) repaired(name webcapture.TreeName, key nametree.Key, set object.Ref) (bool, error) {
	own, err := r.OwnKeys(name, object.MakeRef(set))
	there := false
	for _, k := range own {
		if err == nil && !there {
			there, err = r.leadsTo(name, k, set)
		}
	}
	if err != nil || !there || name == webcapture.IDS {
		return there, err
	}
	var s rule.Set
	if err := r.file.reader.Read(object.MakeRef(set), &s.ContentSet); err != nil {
		return false, object.IgnoreMalformed(err)
	}
	return !s.Accepts(key) || r.Canonical(key) != key, nil
}

// valuesOf returns the content sets in a value.
func valuesOf(reader *webcapture.Reader, value object.Object) (list []object.Object, err error) {
	for o, err := range reader.Values(value) {
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// set brings back a content set, if a page or image of it is in the file, or the original
// has no member of it, and returns it.
func (r *restoration) set(o object.Object) (object.Ref, error) {
	ref, isRef := o.Ref()
	if known, ok := r.sets.is[ref]; ok && isRef {
		return known, nil
	}
	var cs webcapture.ContentSet
	if err := r.original.reader.Read(o, &cs); err != nil || !cs.Recognized() {
		return object.Ref{}, object.IgnoreMalformed(err)
	}
	if known, ok := r.sets.known[identityOf(&cs)]; ok && cs.ID.OK() {
		r.sets.is[ref] = known
		return known, r.join(known, &cs)
	}
	members, counts, err := r.members(&cs)
	if err != nil || members == nil {
		r.sets.is[ref] = object.Ref{}
		return object.Ref{}, err
	}
	changes := []object.Setting{{Key: "O", Value: members}}
	for k, v := range cs.Dict.All() {
		switch key := string(k); key {
		case "O":
		case "R":
			if counts != nil {
				changes = append(changes, object.Setting{Key: key, Value: counts})
				continue
			}
			fallthrough
		default:
			text, err := r.copied(v, maxDepth)
			if err != nil {
				return object.Ref{}, err
			}
			changes = append(changes, object.Setting{Key: key, Value: text})
		}
	}
	set := r.update.New()
	r.update.Put(set, object.Dict{}.AppendWith(nil, changes...))
	r.sets.isNew[set] = true
	r.changes.Sets = append(r.changes.Sets, set)
	r.sets.is[ref] = set
	if cs.ID.OK() {
		r.sets.known[identityOf(&cs)] = set
	}
	return set, nil
}

// members returns O and R of a content set of the original, with the pages and images of
// the file; nil if none of them is there. R is nil if it stays.
func (r *restoration) members(cs *webcapture.ContentSet) (objects, counts []byte, err error) {
	stored, err := r.original.reader.Resolve(cs.R)
	if err != nil {
		return nil, nil, object.IgnoreMalformed(err)
	}
	list, isArray := stored.Array()
	before := slices.Collect(list.All())
	n := 0
	for i, is := range r.found(cs, nil) {
		if n++; n > 1 {
			objects, counts = append(objects, ' '), append(counts, ' ')
		}
		objects = is.ref.Append(objects)
		if i >= len(before) {
			continue
		}
		count, err := r.original.reader.Resolve(before[i])
		if err != nil {
			return nil, nil, object.IgnoreMalformed(err)
		}
		if was, _ := count.Int(); was > 0 && !r.known.whole {
			counts = fmt.Append(counts, r.known.shown[is.ref]) // other pages show it than those of the original
		} else {
			counts = count.Append(counts)
		}
	}
	all, _ := cs.O.Array()
	if n == 0 && all.Len() > 0 {
		return nil, nil, nil
	}
	objects = slices.Concat([]byte{'['}, objects, []byte{']'})
	if !isArray || len(before) != all.Len() {
		return objects, nil, nil
	}
	return objects, slices.Concat([]byte{'['}, counts, []byte{']'}), nil
}

// found yields the members of a content set of the original that are in the file, by their index. Those
// that a content set of the file has are left to that; own are those of the one that is the same.
func (r *restoration) found(cs *webcapture.ContentSet, own map[object.Ref]bool) iter.Seq2[int, *likeness] {
	return func(yield func(int, *likeness) bool) {
		elsewhere, i := false, -1
		for m := range cs.Members() {
			i++
			ref, _ := m.Ref()
			is := r.known.is[ref]
			if is == nil || own[is.ref] {
				continue
			}
			if id, ok := r.sets.listed[is.ref]; ok {
				elsewhere = elsewhere || string(id) != string(cs.ID.Bytes)
			} else if !yield(i, is) {
				return
			}
		}
		if elsewhere {
			r.sets.elsewhere = append(r.sets.elsewhere, nametree.Key(cs.ID.Bytes))
		}
	}
}
