package nametree

import (
	"fmt"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Read reads the name tree whose root is root, a dictionary or a reference to
// one. A null root is a defect like any other: whether a file has such a tree at
// all is for the caller to know.
//
// Read follows everything that can be followed and looks at every key, but at
// no value. It fails only if src fails with an error that is not about the file
// (see [object.IsMalformed]); then there is no Tree.
func Read(src object.Source, root object.Object) (*Tree, error) {
	return newReader(src, caps).read(root)
}

// ReadWithin is Read for a caller that knows how much there can be in a tree. What
// would go over the budget is not read, or not kept, and that is a defect. Read
// allows as much as ReadWithin ever does.
func ReadWithin(src object.Source, root object.Object, b Budget) (*Tree, error) {
	return newReader(src, within(b)).read(root)
}

// within returns the caps of a reading with a budget.
func within(b Budget) options {
	opt := caps
	opt.Kids, opt.Pairs = min(opt.Kids, b.Kids), min(opt.Pairs, b.Pairs)
	opt.Bytes, opt.Defects = min(opt.Bytes, b.Bytes), min(opt.Defects, b.Defects)
	return opt
}

func newReader(src object.Source, opt options) *reader {
	return &reader{src: src, opt: opt, t: &Tree{}, seen: make(map[object.Ref]int32)}
}

func (r *reader) read(root object.Object) (*Tree, error) {
	if err := r.root(root); err != nil {
		return nil, err
	}
	for len(r.todo) > 0 && !r.full {
		k := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		if err := r.kid(k); err != nil {
			return nil, err
		}
	}
	r.finish()
	return r.t, nil
}

// A reader walks a tree in document order. This file has the walk from node to
// node; read_node.go reads the dictionary of one node, read_pairs.go its Names
// array; read_finish.go does what needs all nodes, and read_again.go takes nodes over.
type reader struct {
	src  object.Source
	opt  options
	t    *Tree
	seen map[object.Ref]int32 // the nodes that are objects
	todo []kid                // kids to be read, the next one last
	key  []byte               // of the entry that is being read
	long map[object.Ref]span  // long strings that are objects, to which many keys and Limits may refer
	prev Key                  // of the entry before it

	was    *Tree                // that is read again; nil for most
	leaves map[object.Ref]int32 // of it, that need not be

	kids, pairs int   // so far
	bytes       int64 // so far
	full        bool  // a cap was hit: read no more
	kidsFull    bool  // a cap was hit: put no more kids on the list
	defectsFull bool  // a cap was hit: keep the first of each kind alone
}

// A kid is an element of a Kids array.
type kid struct {
	o             object.Object
	parent, index int32
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
	if int(r.t.nodes[k.parent].depth)+1 >= r.opt.depth {
		r.t.nodes[k.parent].partial = true
		r.report(at(TooDeep, k.parent, k.index))
		return nil
	}
	if ref, ok := k.o.Ref(); ok && (r.reachedBefore(ref, k) || r.takeOver(ref, k)) {
		return nil
	}
	o, ref, err := r.follow(k.o)
	if named, _ := k.o.Ref(); named != ref {
		r.t.nodes[k.parent].scattered = true // another reference is between the two
	}
	switch {
	case object.IsMalformed(err):
		r.t.nodes[k.parent].partial = true
		r.reportFound(Unreadable, k.parent, k.index, k.o, err)
		return nil
	case err != nil:
		return err
	case o.Kind() != object.Dictionary:
		r.reportFound(KidNotDictionary, k.parent, k.index, k.o, nil)
		r.charge(o, k.parent, k.index)
		return nil
	case ref.Num == 0:
		r.report(at(KidNotIndirect, k.parent, k.index))
		return r.node(o, ref, k)
	case r.reachedBefore(ref, k):
		return nil
	}
	return r.node(o, ref, k)
}

// reachedBefore reports whether a kid is a node that was reached before; that is
// a defect.
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
	d.Found, d.Other = k.o, int(n)
	r.report(d)
	return true
}

// above reports whether node n is node m or above it.
func (r *reader) above(n, m int32) bool {
	for m > n { // a node comes after those above it
		m = r.t.nodes[m].parent
	}
	return m == n
}

// push puts the kids of a node on the list, the first one on top.
func (r *reader) push(l object.List, id int32) {
	if r.full {
		return
	}
	bottom, n := len(r.todo), int32(0)
	for o := range l.All() {
		if r.kids++; r.kids > r.opt.Kids {
			r.tooManyNodes(id, n)
			slices.Reverse(r.todo[bottom:])
			return
		}
		r.todo = append(r.todo, kid{o, id, n})
		n++
	}
	slices.Reverse(r.todo[bottom:])
	switch v := &r.t.nodes[id]; {
	case n == 1:
		r.report(at(SingleKid, id, -1))
	case n == 0 && v.hasKids && !v.partial:
		r.report(at(EmptyKids, id, -1))
	}
}

// tooManyNodes is for a kid that is not read any more, and all after it.
func (r *reader) tooManyNodes(id, index int32) {
	r.t.nodes[id].partial = true
	if !r.kidsFull {
		r.kidsFull = true
		r.report(at(TooManyNodes, id, index))
	}
}

// follow is [object.Follow]. An error that is about the source tells which
// object could not be read.
func (r *reader) follow(o object.Object) (object.Object, object.Ref, error) {
	o, ref, err := object.Follow(r.src, o)
	if err != nil && !object.IsMalformed(err) {
		err = fmt.Errorf("name tree: object %v: %w", ref, err)
	}
	return o, ref, err
}

// longString is the length from which a string is kept as it was decoded, and one that is an object is kept once,
// however many keys and Limits refer to it.
const longString = 4 << 10

// addKey keeps r.key, which is the string that ref names, or one that is not an object if its Num is 0.
func (r *reader) addKey(ref object.Ref) span {
	if len(r.key) < longString {
		return r.t.keys.add(r.key)
	}
	at, ok := r.long[ref]
	if !ok {
		at = r.t.keys.adopt(slices.Clip(r.key))
		r.key = nil
	}
	if !ok && ref.Num != 0 {
		if r.long == nil {
			r.long = map[object.Ref]span{}
		}
		r.long[ref] = at
	}
	return at
}

// decode makes r.key the bytes of a string, and reports whether o is one.
func (r *reader) decode(o object.Object) (ok bool) {
	if n := len(o.Raw()); n >= longString && o.Kind() == object.String {
		r.key = slices.Grow(r.key[:0], n)
	}
	r.key, ok = o.AppendString(r.key[:0])
	return ok
}

// charge counts the bytes of o and reports whether reading may go on.
func (r *reader) charge(o object.Object, node, index int32) bool {
	r.bytes += int64(len(o.Raw()))
	if r.bytes > r.opt.Bytes && !r.full {
		r.stop(TooLarge, node, index)
	}
	return !r.full
}

// isTooLong reports whether a string is longer than a key may be, and ends the reading if it is.
func (r *reader) isTooLong(s object.Object, node, index int32) bool {
	if len(s.Raw()) <= r.opt.longest {
		return false
	}
	r.stop(TooLarge, node, index)
	return true
}

// stop ends the reading at this position.
func (r *reader) stop(kind DefectKind, node, index int32) {
	r.full = true
	r.t.nodes[node].partial = true
	r.report(at(kind, node, index))
}

// at returns the defect of a node, kid or pair without its particulars.
func at(kind DefectKind, node, index int32) Defect {
	return Defect{Kind: kind, Node: int(node), Index: int(index), Entry: -1, Other: -1}
}

// report keeps a defect, or counts it if there are too many: then the first of each
// kind are kept, and what the tree was cut off by.
func (r *reader) report(d Defect) {
	t := r.t
	t.misleading = t.misleading || !harmless[d.Kind]
	if len(t.defects) >= r.opt.Defects && !r.defectsFull {
		r.defectsFull = true
		t.keep(at(TooManyDefects, int32(d.Node), int32(d.Index)))
	}
	if r.defectsFull && t.kept[d.Kind] >= r.opt.perKind && capReasons[d.Kind] == "" {
		t.left[d.Kind]++
		return
	}
	t.keep(d)
}

// reportFound reports a defect together with what was found, and with the error
// of reading that.
func (r *reader) reportFound(kind DefectKind, node, index int32, found object.Object, err error) {
	d := at(kind, node, index)
	d.Found, d.Err = found, err
	r.report(d)
}
