package nametree

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Read reads a name tree. root is a dictionary or a reference to a dictionary. A null root is a defect; the caller
// decides whether the file should have a tree at all.
//
// Read follows all references that it can follow. It reads all keys, but no values. It calls keep with numbers of
// bytes before it keeps more memory; nil sets no limit. It returns an error, and no Tree, only if keep returns an
// error, or src an error other than a *[object.Malformed].
func Read(src object.Source, root object.Object, keep func(int64) error) (*Tree, error) {
	r := &reader{src: src, keep: keep, t: &Tree{}, seen: make(map[object.Ref]int)}
	if err := r.root(root); err != nil {
		return nil, err
	}
	for len(r.todo) > 0 && r.err == nil {
		k := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		if err := r.kid(k); err != nil {
			return nil, err
		}
	}
	if r.settle(); r.err == nil {
		r.finish()
	}
	if r.settle(); r.err != nil {
		return nil, r.err
	}
	return r.t, nil
}

// A reader walks a tree in document order. This file walks from node to node. read_node.go reads the dictionary of a
// node, and read_pairs.go reads its Names array. read_finish.go does the work that needs all nodes.
type reader struct {
	src  object.Source
	t    *Tree
	seen map[object.Ref]int // nodes that are indirect objects
	todo []kid              // stack of kids to read; the next one is last
	key  []byte             // key of the current entry
	prev Key                // key of the previous entry

	keep func(int64) error
	owed int64 // bytes that keep does not know yet
	err  error // of keep; ends the reading
}

// Sizes in memory, in bytes.
const (
	entrySize  = 48  // with its place in the order of keys
	nodeSize   = 192 // with the kid from which it is read
	defectSize = 360 // with its details; a list that grows takes twice its size
)

// owe counts n bytes that are kept. It passes small numbers on together, because two trees may be read in parallel.
func (r *reader) owe(n int) {
	const some = 1 << 16
	if r.owed += int64(n); r.owed >= some {
		r.settle()
	}
}

// settle passes the counted bytes to keep.
func (r *reader) settle() {
	if r.err == nil && r.keep != nil {
		r.err = r.keep(r.owed)
	}
	r.owed = 0
}

// A kid is an element of a Kids array.
type kid struct {
	o             object.Object
	parent, index int
}

func (r *reader) root(root object.Object) error {
	o, ref, err := r.follow(root)
	switch {
	case object.IsMalformed(err):
		r.reportFound(Unreadable, -1, -1, root, err)
		return nil
	case err != nil:
		return err
	case o.Kind() != object.Dictionary:
		r.reportFound(RootNotDictionary, -1, -1, root, nil)
		return nil
	}
	return r.node(o, ref, kid{parent: -1, index: -1})
}

func (r *reader) kid(k kid) error {
	if r.t.nodes[k.parent].Depth+1 >= maxDepth {
		r.t.nodes[k.parent].partial = true
		r.report(at(TooDeep, k.parent, k.index))
		return nil
	}
	if ref, ok := k.o.Ref(); ok && r.reachedBefore(ref, k) {
		return nil
	}
	o, ref, err := r.follow(k.o)
	switch {
	case object.IsMalformed(err):
		r.t.nodes[k.parent].partial = true
		r.reportFound(Unreadable, k.parent, k.index, k.o, err)
		return nil
	case err != nil:
		return err
	case o.Kind() != object.Dictionary:
		r.reportFound(KidNotDictionary, k.parent, k.index, k.o, nil)
		return nil
	case ref.Num == 0:
		r.report(at(KidNotIndirect, k.parent, k.index))
		return r.node(o, ref, k)
	case r.reachedBefore(ref, k):
		return nil
	}
	return r.node(o, ref, k)
}

// reachedBefore reports whether a kid is a node that was reached before. If so, it adds the defect.
func (r *reader) reachedBefore(ref object.Ref, k kid) bool {
	n, ok := r.seen[ref]
	if !ok {
		return false
	}
	r.t.nodes[k.parent].partial = true
	d := at(NodeShared, k.parent, k.index)
	if r.above(n, k.parent) {
		d.Kind = NodeCycle
	}
	d.Found, d.Other = k.o, n
	r.report(d)
	return true
}

// above reports whether node n is node m or one of its ancestors.
func (r *reader) above(n, m int) bool {
	for m > n { // a node comes after its ancestors
		m = r.t.nodes[m].Parent
	}
	return m == n
}

// push adds the kids of a node to the stack r.todo, with the first kid on top.
func (r *reader) push(l object.List, id int) {
	bottom, n := len(r.todo), 0
	for o := range l.All() {
		if r.owe(nodeSize); r.err != nil {
			return
		}
		r.todo = append(r.todo, kid{o, id, n})
		n++
	}
	slices.Reverse(r.todo[bottom:])
	if v := &r.t.nodes[id]; n == 0 && v.HasKids && !v.partial {
		r.report(at(EmptyKids, id, -1))
	}
}

// follow is [object.Follow]. If the source fails, the error names the object.
func (r *reader) follow(o object.Object) (object.Object, object.Ref, error) {
	o, ref, err := object.Follow(r.src, o)
	if err != nil && !object.IsMalformed(err) {
		err = fmt.Errorf("name tree: object %v: %w", ref, err)
	}
	return o, ref, err
}

// longString is the minimum length of a key of which several copies may exist while it is read, compared, and printed.
const longString = 4 << 10

// decode decodes a string into r.key, and counts its memory, because it is kept. It returns false if o is not a string,
// or is too long a string.
func (r *reader) decode(o object.Object) (ok bool) {
	if o.Kind() != object.String {
		return false
	}
	if n := len(o.Raw()); n > longString {
		if r.owe(8 * n); r.err != nil {
			return false
		}
	}
	r.key, ok = o.AppendString(r.key[:0])
	r.owe(len(r.key))
	return ok
}

// at returns a defect of a node, kid, or pair without details.
func at(kind DefectKind, node, index int) Defect {
	return Defect{Kind: kind, Node: node, Index: index, Entry: -1, Other: -1}
}

// report keeps a defect.
func (r *reader) report(d Defect) {
	if r.owe(defectSize + len(d.Name) + len(d.Found.Raw()) + len(d.Value.Raw())); r.err != nil {
		return // the tree is not used
	}
	d.Found, d.Value = own(d.Found), own(d.Value)
	r.t.defects = append(r.t.defects, d)
	r.t.kept[d.Kind]++
}

// reportFound reports a defect with the object that was found, and the error of reading this object.
func (r *reader) reportFound(kind DefectKind, node, index int, found object.Object, err error) {
	d := at(kind, node, index)
	d.Found, d.Err = found, err
	r.report(d)
}
