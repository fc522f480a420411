package nametree

import "github.com/webcap-tools/webcap/nametree/object"

// ReadAgain is a faster ReadWithin for a tree that has changed little since it was read as was. same reports whether an
// object is unchanged. Unchanged sound leaves are copied from was and share their keys with it. The result is the same
// as that of ReadWithin. If a sound tree has not changed at all, ReadAgain returns was.
func ReadAgain(src object.Source, root object.Object, keep func(int64) error, was *Tree,
	same func(object.Ref) bool) (*Tree, error) {
	if ref, ok := root.Ref(); ok && was.stays(ref, same) {
		return was, nil
	}
	r := newReader(src, caps, keep)
	r.was, r.leaves = was, was.soundLeaves(same)
	r.t.keys.chunks = append(r.t.keys.chunks, was.keys.chunks...)
	r.t.values.chunks = append(r.t.values.chunks, was.values.chunks...)
	r.t.direct = append(r.t.direct, was.direct...)
	return r.read(root)
}

// stays reports whether the tree is sound and unchanged. root must be an indirect object.
func (t *Tree) stays(root object.Ref, same func(object.Ref) bool) bool {
	sound := len(t.nodes) > 0 && t.nodes[0].ref == root && len(t.defects) == 0
	for i := range t.nodes {
		n := &t.nodes[i]
		sound = sound && n.ref.Num != 0 && !n.scattered && same(n.ref)
	}
	return sound
}

// soundLeaves returns the leaves that are unchanged and have no defects, so that their keys ascend. All parts of such a
// leaf must be in a single object, which is the key of the map.
func (t *Tree) soundLeaves(same func(object.Ref) bool) map[object.Ref]int32 {
	leaves := map[object.Ref]int32{}
	unsound := make([]bool, len(t.nodes))
	for _, d := range t.defects {
		if d.node >= 0 {
			unsound[d.node] = true
		}
	}
	for i := range t.nodes {
		n := &t.nodes[i]
		if i > 0 && n.count > 0 && n.hasLimits && !n.hasKids && !n.partial && !n.scattered && !unsound[i] &&
			n.ref.Num != 0 && same(n.ref) {
			leaves[n.ref] = int32(i)
		}
	}
	return leaves
}

// takeOver copies the leaf ref from r.was. It returns false, and copies nothing, if r.leaves does not have the leaf.
func (r *reader) takeOver(ref object.Ref, k kid) bool {
	i, ok := r.leaves[ref]
	if !ok {
		return false
	}
	old := &r.was.nodes[i]
	r.owe(entrySize * int(old.count))
	id := r.addNode(ref, k)
	n := &r.t.nodes[id]
	n.hasNames, n.hasLimits, n.limits = old.hasNames, true, old.limits
	for j := range int(old.count) {
		e := *r.was.at(int(old.first) + j)
		e.node = uint32(id)
		key := r.t.append(e)
		if j == 0 {
			r.order(key, id, int32(e.pair&pairMask))
		}
		r.prev = key
	}
	n.count, n.greatest = old.count, n.first+old.count-1
	return true
}
