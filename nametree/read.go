package nametree

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// options are the caps of a reading. Each one is a defect if it is hit.
type options struct {
	depth    int   // TooDeep
	kids     int   // TooManyNodes: elements of all Kids arrays
	pairs    int   // TooManyEntries
	bytes    int64 // TooLarge
	defects  int   // TooManyDefects
	hugeLeaf int   // HugeLeaf: pairs of one leaf
}

// A tree of 10^7 entries in leaves of 64 has 5 levels and 160,000 nodes. Twice
// the depth that PDFium follows, and a node for each of 2^21 entries, are
// beyond what any writer makes. A gigabyte is 100 bytes for each of 10^7
// entries; what shares one array between many nodes hits it early.
var caps = options{
	depth:    64,
	kids:     1 << 21,
	pairs:    10_000_000,
	bytes:    1 << 30,
	defects:  1 << 18,
	hugeLeaf: 1 << 10,
}

// maxHops bounds a chain of references to references.
const maxHops = 16

// Read reads the name tree whose root is root, a dictionary or a reference to
// one. A null root is a defect as any other: that a file has no such tree is
// for the caller to know.
//
// Read follows everything that can be followed and looks at every key, but at
// no value. It fails only if src fails with an error that does not speak of
// the file (see [object.IsMalformed]); then there is no Tree.
func Read(src object.Source, root object.Object) (*Tree, error) {
	return read(src, root, caps)
}

// ReadWithin is Read for a caller that knows how large the tree can be: that
// nodes and keys make more than n bytes, each counted as often as it is referred
// to, is the defect TooLarge then. Read allows 2^30.
func ReadWithin(src object.Source, root object.Object, n int64) (*Tree, error) {
	opt := caps
	opt.bytes = min(opt.bytes, n)
	return read(src, root, opt)
}

func read(src object.Source, root object.Object, opt options) (*Tree, error) {
	r := &reader{src: src, opt: opt, t: &Tree{}, seen: make(map[object.Ref]int32)}
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

type reader struct {
	src  object.Source
	opt  options
	t    *Tree
	seen map[object.Ref]int32 // the nodes that are objects
	todo []kid                // kids to be read, the next one last
	key  []byte               // of the entry that is being read
	prev Key                  // of the entry before it

	kids, pairs int   // so far
	bytes       int64 // so far
	full        bool  // a cap was hit: read no more
	kidsFull    bool  // a cap was hit: put no more kids on the list
	cut         bool  // a cap was hit: report no more
}

// A kid is an element of a Kids array.
type kid struct {
	o             object.Object
	parent, index int32
}

// at returns the defect of a node, kid or pair without its particulars.
func at(kind DefectKind, node, index int32) Defect {
	return Defect{Kind: kind, Node: int(node), Index: int(index), Entry: -1, Other: -1}
}

func (r *reader) report(d Defect) {
	switch {
	case r.cut:
		return
	case len(r.t.defects) >= r.opt.defects:
		r.cut = true
		d = at(TooManyDefects, int32(d.Node), int32(d.Index))
	}
	d.Found, d.Value = d.Found.Clone(), d.Value.Clone()
	r.t.defects = append(r.t.defects, d)
	r.t.lossy = r.t.lossy || !harmless[d.Kind]
}

// reportFound reports a defect together with what was found, and with the error
// that came of reading that.
func (r *reader) reportFound(kind DefectKind, node, index int32, found object.Object, err error) {
	d := at(kind, node, index)
	d.Found, d.Err = found, err
	r.report(d)
}

// follow returns what o refers to, and the reference that leads there directly:
// Num is 0 if o is no reference. The error is a *object.Malformed, or it speaks
// of the source and tells which object could not be read.
func (r *reader) follow(o object.Object) (object.Object, object.Ref, error) {
	var last object.Ref
	for range maxHops {
		ref, ok := o.Ref()
		if !ok {
			return o, last, nil
		}
		var err error
		if o, err = r.src.Get(ref); err != nil {
			if !object.IsMalformed(err) {
				err = fmt.Errorf("name tree: object %v: %w", ref, err)
			}
			return object.Object{}, ref, err
		}
		last = ref
	}
	if o.Kind() != object.Reference {
		return o, last, nil
	}
	return object.Object{}, last, &object.Malformed{Ref: last, Reason: "reference that leads to references only"}
}

// charge counts the bytes of o and reports whether reading may go on.
func (r *reader) charge(o object.Object, node, index int32) bool {
	r.bytes += int64(len(o.Raw()))
	if r.bytes > r.opt.bytes && !r.full {
		r.stop(TooLarge, node, index)
	}
	return !r.full
}

// stop ends the reading at this place.
func (r *reader) stop(kind DefectKind, node, index int32) {
	r.full = true
	r.t.nodes[node].partial = true
	r.report(at(kind, node, index))
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
	if ref, ok := k.o.Ref(); ok && r.again(ref, k) {
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
		r.charge(o, k.parent, k.index)
		return nil
	case ref.Num == 0:
		r.report(at(KidNotIndirect, k.parent, k.index))
		return r.node(o, ref, k)
	case r.again(ref, k):
		return nil
	}
	return r.node(o, ref, k)
}

// again reports whether a kid is a node that was reached before; that is a defect.
func (r *reader) again(ref object.Ref, k kid) bool {
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

// node reads a node without its kids, which go on the list.
func (r *reader) node(o object.Object, ref object.Ref, place kid) error {
	id := int32(len(r.t.nodes))
	n := node{ref: ref, parent: place.parent, index: place.index, first: int32(r.t.n), least: -1, greatest: -1}
	if n.parent >= 0 {
		n.depth = r.t.nodes[n.parent].depth + 1
	}
	r.t.nodes = append(r.t.nodes, n)
	if ref.Num != 0 {
		r.seen[ref] = id
	}
	if !r.charge(o, id, -1) {
		return nil
	}
	d, _ := o.Dict()
	f := r.fields(d, id)
	if err := r.limits(f.limits, id); err != nil {
		return err
	}
	kids, hasKids, err := r.array(f.kids, KidsNotArray, id)
	if err != nil {
		return err
	}
	names, hasNames, err := r.array(f.names, NamesNotArray, id)
	if err != nil {
		return err
	}
	r.t.nodes[id].hasKids, r.t.nodes[id].hasNames = hasKids, hasNames
	switch {
	case hasKids && hasNames:
		r.report(at(BothKidsAndNames, id, -1))
	case !hasKids && !hasNames:
		r.report(at(NeitherKidsNorNames, id, -1))
	}
	if err := r.names(names, id); err != nil {
		return err
	}
	r.push(kids, id)
	return nil
}

// fields are the three values of a node's dictionary, as stored.
type fields struct{ kids, names, limits object.Object }

func (r *reader) fields(d object.Dict, id int32) fields {
	var f fields
	var hasKids, hasNames, hasLimits bool
	set := func(field *object.Object, has *bool, name string, v object.Object) {
		if *has {
			d := at(KeyTwice, id, -1)
			d.Name, d.Value = name, *field
			r.report(d)
		}
		*field, *has = v, true
	}
	for k, v := range d.All() {
		switch string(k) {
		case "Kids":
			set(&f.kids, &hasKids, "Kids", v)
		case "Names":
			set(&f.names, &hasNames, "Names", v)
		case "Limits":
			set(&f.limits, &hasLimits, "Limits", v)
		default:
			d := at(ForeignKey, id, -1)
			d.Name, d.Value = string(k), v
			r.report(d)
		}
	}
	return f
}

// array returns the elements of Kids or Names and whether the node has it:
// null is as good as absent (7.3.7).
func (r *reader) array(stored object.Object, kind DefectKind, id int32) (l object.List, has bool, err error) {
	o, ref, err := r.follow(stored)
	if err != nil && !object.IsMalformed(err) {
		return l, false, err
	}
	l, ok := o.Array()
	switch {
	case err == nil && o.IsNull():
		return l, false, nil
	case !ok:
		r.t.nodes[id].partial = true
		r.reportFound(kind, id, -1, stored, err)
	case ref.Num != 0 && !r.charge(o, id, -1):
		return object.List{}, true, nil
	}
	return l, true, nil
}

// limits reads the Limits of a node.
func (r *reader) limits(stored object.Object, id int32) error {
	o, _, err := r.follow(stored)
	if err != nil && !object.IsMalformed(err) {
		return err
	}
	if err == nil && o.IsNull() {
		if id > 0 {
			r.report(at(LimitsMissing, id, -1))
		}
		return nil
	}
	if id == 0 {
		r.reportFound(RootLimits, id, -1, stored, err)
	}
	if err == nil {
		err = r.twoStrings(o, id)
	}
	switch {
	case err != nil && !object.IsMalformed(err):
		return err
	case id > 0 && !r.t.nodes[id].hasLimits && !r.full:
		r.reportFound(LimitsMalformed, id, -1, stored, err)
	}
	return nil
}

// twoStrings sets the limits of a node if o is an array of two strings.
func (r *reader) twoStrings(o object.Object, id int32) error {
	l, ok := o.Array()
	if !ok {
		return nil
	}
	n, i := &r.t.nodes[id], 0
	for e := range l.All() {
		s, _, err := r.follow(e)
		if err != nil || !r.charge(s, id, -1) {
			return err
		}
		if r.key, ok = s.AppendString(r.key[:0]); !ok || i == 2 {
			return nil
		}
		n.limits[i] = r.t.keys.add(r.key)
		i++
	}
	n.hasLimits = i == 2
	return nil
}

// names reads the pairs of a Names array.
func (r *reader) names(l object.List, id int32) error {
	var key object.Object
	pair, half := int32(0), false
	for o := range l.All() {
		if half = !half; half {
			key = o
			continue
		}
		if err := r.pair(key, o, id, pair); err != nil || r.full {
			return err
		}
		pair++
	}
	switch n := &r.t.nodes[id]; {
	case half:
		r.reportFound(OddNames, id, pair, key, nil)
	case pair == 0 && id > 0 && n.hasNames && !n.partial:
		r.report(at(EmptyLeaf, id, -1))
	}
	if int(pair) > r.opt.hugeLeaf {
		r.report(at(HugeLeaf, id, -1))
	}
	return nil
}

// pair reads a pair of a Names array and makes an entry of it.
func (r *reader) pair(stored, value object.Object, id, pair int32) error {
	if r.pairs++; r.pairs > r.opt.pairs {
		r.stop(TooManyEntries, id, pair)
		return nil
	}
	key := stored
	ref, indirect := stored.Ref()
	if indirect {
		var err error
		if key, _, err = r.follow(stored); err != nil {
			if !object.IsMalformed(err) {
				return err
			}
			r.t.nodes[id].partial = true
			r.lost(KeyUnreadable, id, pair, stored, value, err)
			return nil
		}
		if !r.charge(key, id, pair) {
			return nil
		}
	}
	var ok bool
	if r.key, ok = key.AppendString(r.key[:0]); !ok {
		kind := KeyNotString
		if key.IsNull() {
			kind = KeyNull
		}
		r.lost(kind, id, pair, stored, value, nil)
		return nil
	}
	e := entry{key: r.t.keys.add(r.key), node: uint32(id), pair: uint32(pair), keyNum: ref.Num, keyGen: ref.Gen}
	if v, ok := value.Ref(); ok {
		e.valueNum, e.valueGen = v.Num, v.Gen
	} else {
		r.t.direct = append(r.t.direct, value.Clone())
		e.direct = uint32(len(r.t.direct))
	}
	r.place(r.t.append(e), id, pair)
	if value.IsNull() {
		d := at(ValueNull, id, pair)
		d.Entry = r.t.n - 1
		r.report(d)
	}
	return nil
}

// lost reports a pair that makes no entry.
func (r *reader) lost(kind DefectKind, id, pair int32, key, value object.Object, err error) {
	d := at(kind, id, pair)
	d.Found, d.Value, d.Err = key, value, err
	r.report(d)
}

// append adds e as the last entry and returns its key.
func (t *Tree) append(e entry) Key {
	last := len(t.blocks) - 1
	switch {
	case last < 0: // most trees are small: the first block grows
		t.blocks = append(t.blocks, nil)
		last++
	case len(t.blocks[last]) == blockSize:
		t.blocks = append(t.blocks, make([]entry, 0, blockSize))
		last++
	}
	t.blocks[last] = append(t.blocks[last], e)
	t.n++
	return t.keys.at(e.key)
}

// place finds where key, that of the last entry, stands among those before.
func (r *reader) place(key Key, id, pair int32) {
	n := &r.t.nodes[id]
	i := int32(r.t.n - 1)
	n.count++
	order := 1
	if i > 0 {
		order = strings.Compare(string(key), string(r.prev))
	}
	r.prev = key
	switch {
	case order < 0:
		r.t.disorder = true
		d := at(KeyOrder, id, pair)
		d.Entry, d.Other = int(i), int(i)-1
		r.report(d)
	case order == 0:
		r.t.repeated = true
	case n.count > 1 && n.greatest == i-1:
		n.greatest = i // greater than the greatest
		return
	}
	r.t.widen(n, i, i)
}

// widen makes the bounds of n include the keys of the entries least and greatest.
func (t *Tree) widen(n *node, least, greatest int32) {
	if n.least < 0 {
		n.least, n.greatest = least, greatest
		return
	}
	if t.key(int(least)) < t.key(int(n.least)) {
		n.least = least
	}
	if t.key(int(greatest)) > t.key(int(n.greatest)) {
		n.greatest = greatest
	}
}

// push puts the kids of a node on the list, the first one on top.
func (r *reader) push(l object.List, id int32) {
	if r.full {
		return
	}
	bottom, n := len(r.todo), int32(0)
	for o := range l.All() {
		if r.kids++; r.kids > r.opt.kids {
			r.t.nodes[id].partial = true
			if !r.kidsFull {
				r.kidsFull = true
				r.report(at(TooManyNodes, id, n))
			}
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

// finish does what can only be done when all nodes are there.
func (r *reader) finish() {
	t := r.t
	t.keys.open.Reset()
	for _, k := range r.todo {
		t.nodes[k.parent].partial = true
	}
	r.todo = nil

	// A node comes before those below it: going backwards, the bounds of a node
	// are complete when they go into those of its parent.
	for i := len(t.nodes) - 1; i > 0; i-- {
		n := &t.nodes[i]
		parent := &t.nodes[n.parent]
		if n.least >= 0 {
			t.widen(parent, n.least, n.greatest)
		}
		parent.partial = parent.partial || n.partial
		parent.kidsLen++
	}
	t.linkKids()
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		if n.hasLimits && n.least >= 0 && !n.partial && t.limits(n) != t.bounds(n) {
			r.report(at(LimitsWrong, int32(i), -1))
		}
	}
	r.duplicates()

	inOrder := func(a, b Defect) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Index, b.Index))
	}
	if !slices.IsSortedFunc(t.defects, inOrder) {
		slices.SortStableFunc(t.defects, inOrder)
	}
}

// linkKids collects the nodes below each node; kidsLen says how many there are.
func (t *Tree) linkKids() {
	if len(t.nodes) == 0 {
		return
	}
	t.kids = make([]int, len(t.nodes)-1)
	next := int32(0)
	for i := range t.nodes {
		n := &t.nodes[i]
		n.kidsFirst = next
		next += n.kidsLen
		n.kidsLen = 0
		if i > 0 {
			parent := &t.nodes[n.parent]
			t.kids[parent.kidsFirst+parent.kidsLen] = i
			parent.kidsLen++
		}
	}
}

// duplicates reports the entries whose key was there before. Where keys ascend
// there are none, and where they at least do not descend, they are neighbours.
func (r *reader) duplicates() {
	t := r.t
	if t.disorder {
		t.byKey = make([]int32, t.n)
		for i := range t.byKey {
			t.byKey[i] = int32(i)
		}
		slices.SortFunc(t.byKey, func(a, b int32) int {
			if c := strings.Compare(string(t.key(int(a))), string(t.key(int(b)))); c != 0 {
				return c
			}
			return cmp.Compare(a, b)
		})
	} else if !t.repeated {
		return
	}
	for rank, first := 1, 0; rank < t.n; rank++ {
		i := t.ranked(rank)
		if t.key(i) != t.key(t.ranked(first)) {
			first = rank
			continue
		}
		t.repeated = true
		e := t.at(i)
		d := at(DuplicateKey, int32(e.node), int32(e.pair))
		d.Entry, d.Other = i, t.ranked(first)
		r.report(d)
	}
}
