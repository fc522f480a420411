package rewrite

import (
	"fmt"
	"iter"
	"slices"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
)

// Content sets that are brought back, with their keys.

// valuesOf returns the content sets in a value of the original.
func (w *planter) valuesOf(value object.Object) (list []object.Object, err error) {
	for o, err := range w.reader.Values(value) {
		if err != nil {
			return nil, object.IgnoreMalformed(err)
		}
		list = append(list, o)
	}
	return list, nil
}

// index notes the content sets that the file has.
func (w *planter) index() error {
	refs, err := w.allSets()
	if err != nil {
		return err
	}
	for _, ref := range refs {
		var cs webcapture.ContentSet
		if err := w.planner.reader.Read(object.MakeRef(ref), &cs); err != nil {
			if object.IgnoreMalformed(err) != nil {
				return err
			}
			continue
		}
		if cs.Recognized() {
			w.note(ref, &cs)
		}
	}
	return nil
}

// note notes a content set of the file.
func (w *planter) note(ref object.Ref, cs *webcapture.ContentSet) {
	if cs.ID.OK() {
		w.known[identityOf(cs)] = ref
	}
	for m := range cs.Members() {
		if ref, ok := m.Ref(); ok {
			w.listed[ref] = nametree.Key(cs.ID.Bytes)
		}
	}
}

func identityOf(cs *webcapture.ContentSet) string { return cs.Subtype.String() + string(cs.ID.Bytes) }

// entry brings back one entry of a tree.
func (w *planter) entry(name webcapture.TreeName, key nametree.Key, o object.Object) error {
	set, err := w.set(o)
	if err != nil || set.Num == 0 {
		return err
	}
	t := w.trees[name]
	for i := range t.tree.All(key) {
		list, err := t.elements(i)
		if object.IgnoreMalformed(err) != nil {
			return err
		}
		for _, there := range list {
			if ref, ok := there.Ref(); ok && ref == set {
				return nil
			}
		}
	}
	if repaired, err := w.repaired(t, key, object.MakeRef(set)); repaired || err != nil {
		return err
	}
	t.add(key, object.MakeRef(set))
	w.plan.Steps.Add(Step{
		Action: audit.Plant, Tree: name.String(), Place: audit.Place{Tree: name.String(), Set: set, Key: key},
		New: key.String() + " " + set.String(), Reason: w.name + " has it",
	})
	return nil
}

// repaired reports whether the file has a set under a key that is its own, while that of the
// original is not right: whoever brought it back would repair it once more.
func (w *planter) repaired(t *treeEdit, key nametree.Key, set object.Object) (bool, error) {
	there, err := t.leadsTo(set)
	if err != nil || !there || t.name == webcapture.IDS {
		return there, err
	}
	homes, err := t.homes(set, key)
	return len(homes) > 0 || w.canonical(key) != key, err
}

// set brings back a content set, if a page or image of it is in the file, or the original
// has no member of it, and returns it.
func (w *planter) set(o object.Object) (object.Ref, error) {
	ref, isRef := o.Ref()
	if known, ok := w.sets[ref]; ok && isRef {
		return known, nil
	}
	var cs webcapture.ContentSet
	if err := w.reader.Read(o, &cs); err != nil || !cs.Recognized() {
		return object.Ref{}, object.IgnoreMalformed(err)
	}
	if known, ok := w.known[identityOf(&cs)]; ok && cs.ID.OK() {
		w.sets[ref] = known
		return known, w.join(known, &cs)
	}
	members, counts, err := w.members(&cs)
	if err != nil || members == nil {
		w.sets[ref] = object.Ref{}
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
			text, err := w.copied(v, maxPlantDepth)
			if err != nil {
				return object.Ref{}, err
			}
			changes = append(changes, object.Setting{Key: key, Value: text})
		}
	}
	set := w.plan.update.New()
	w.plan.update.Put(set, object.Dict{}.AppendWith(nil, changes...))
	w.plan.unseen[set] = true
	w.sets[ref] = set
	if cs.ID.OK() {
		w.known[identityOf(&cs)] = set
	}
	return set, nil
}

// members returns O and R of a content set of the original, with the pages and images of
// the file; nil if none of them is there. R is nil if it stays.
func (w *planter) members(cs *webcapture.ContentSet) (o, r []byte, err error) {
	stored, err := w.reader.Resolve(cs.R)
	if err != nil {
		return nil, nil, object.IgnoreMalformed(err)
	}
	list, isArray := stored.Array()
	counts := slices.Collect(list.All())
	n := 0
	for i, is := range w.found(cs, nil) {
		if n++; n > 1 {
			o, r = append(o, ' '), append(r, ' ')
		}
		o = is.ref.Append(o)
		if i >= len(counts) {
			continue
		}
		count, err := w.reader.Resolve(counts[i])
		if err != nil {
			return nil, nil, object.IgnoreMalformed(err)
		}
		if was, _ := count.Int(); was > 0 && !w.whole {
			r = fmt.Append(r, w.shown[is.ref]) // other pages show it than those of the original
		} else {
			r = count.Append(r)
		}
	}
	all, _ := cs.O.Array()
	if n == 0 && all.Len() > 0 {
		return nil, nil, nil
	}
	o = slices.Concat([]byte{'['}, o, []byte{']'})
	if !isArray || len(counts) != all.Len() {
		return o, nil, nil
	}
	return o, slices.Concat([]byte{'['}, r, []byte{']'}), nil
}

// found yields the members of a content set of the original that are in the file, by their index. Those
// that a content set of the file has are left to that; own are those of the one that is the same.
func (w *planter) found(cs *webcapture.ContentSet, own map[object.Ref]bool) iter.Seq2[int, *likeness] {
	return func(yield func(int, *likeness) bool) {
		elsewhere, i := false, -1
		for m := range cs.Members() {
			i++
			ref, _ := m.Ref()
			is := w.is[ref]
			if is == nil || own[is.ref] {
				continue
			}
			if id, ok := w.listed[is.ref]; ok {
				elsewhere = elsewhere || string(id) != string(cs.ID.Bytes)
			} else if !yield(i, is) {
				return
			}
		}
		if elsewhere {
			w.elsewhere = append(w.elsewhere, nametree.Key(cs.ID.Bytes))
		}
	}
}
