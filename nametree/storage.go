package nametree

import (
	"bytes"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// This file has the storage of a Tree: entries in blocks, the bytes of keys in an arena, references as numbers. A sound
// tree of a million entries consists of only a few hundred heap objects, and none of them refers to the file.

// An entry is the stored form of an Entry. It has no pointers.
type entry struct {
	key      span
	node     uint32
	pair     uint32 // lower pairBits bits: index of the pair; upper bits: kind of the value
	value    uint32 // object number of a reference, or index in Tree.direct
	keyNum   uint32
	valueGen uint16
	keyGen   uint16
}

const (
	pairBits = 28 // bits for the index of a pair; a tree has fewer entries
	pairMask = 1<<pairBits - 1
)

// setValue stores the value of an entry.
func (t *Tree) setValue(e *entry, o object.Object) {
	e.pair |= uint32(o.Kind()) << pairBits
	if ref, ok := o.Ref(); ok {
		e.value, e.valueGen = ref.Num, ref.Gen
		return
	}
	// In trees with direct values, all entries usually have the same value, such as null.
	last := len(t.direct) - 1
	if last < 0 || !bytes.Equal(t.direct[last].Raw(), o.Raw()) {
		t.direct = append(t.direct, own(o))
		last++
	}
	e.value = uint32(last)
}

// value returns the value that setValue stored.
func (t *Tree) value(e *entry) object.Object {
	if object.Kind(e.pair>>pairBits) == object.Reference {
		return object.MakeRef(object.Ref{Num: e.value, Gen: e.valueGen})
	}
	return t.direct[e.value]
}

// own returns o without the bytes of the file.
func own(o object.Object) object.Object {
	if ref, ok := o.Ref(); ok {
		return object.MakeRef(ref)
	}
	return o.Clone()
}

// A defect is the stored form of a Defect. Most defects have only a position, and no details.
type defect struct {
	node, index  int32
	entry, other int32
	details      *details // nil if there are none
	kind         DefectKind
}

// details are the fields that only few Defects have.
type details struct {
	name         string
	found, value object.Object
	err          error
}

// keep adds a defect to the list.
func (t *Tree) keep(d Defect) {
	k := defect{int32(d.Node), int32(d.Index), int32(d.Entry), int32(d.Other), nil, d.Kind}
	if d.Name != "" || d.Err != nil || !d.Found.IsNull() || !d.Value.IsNull() {
		k.details = &details{d.Name, own(d.Found), own(d.Value), d.Err}
	}
	t.defects = append(t.defects, k)
	t.kept[d.Kind]++
}

func (t *Tree) defect(k defect) Defect {
	d := Defect{Kind: k.kind, Node: int(k.node), Index: int(k.index), Entry: int(k.entry), Other: int(k.other)}
	if more := k.details; more != nil {
		d.Name, d.Found, d.Value, d.Err = more.name, more.found, more.value, more.err
	}
	return d
}

// A block of entries takes 256 KB.
const (
	blockBits = 13
	blockSize = 1 << blockBits
)

// A node is the stored form of a Node. Its kids are kidsLen elements of Tree.kids.
type node struct {
	ref                object.Ref
	parent, index      int32
	depth              int32
	first, count       int32
	kidsFirst, kidsLen int32
	least, greatest    int32 // entries with the least and the greatest key, or -1
	limits             [2]span
	hasKids, hasNames  bool
	hasLimits          bool
	partial            bool // the node or a descendant was not read completely
}

func (t *Tree) at(i int) *entry { return &t.blocks[i>>blockBits][i&(blockSize-1)] }

func (t *Tree) key(i int) Key { return t.keys.at(t.at(i).key) }

func (t *Tree) kidsOf(n *node) []int {
	end := n.kidsFirst + n.kidsLen
	return t.kids[n.kidsFirst:end:end]
}

func (t *Tree) limits(n *node) Limits {
	return Limits{t.keys.at(n.limits[0]), t.keys.at(n.limits[1])}
}

func (t *Tree) bounds(n *node) Limits {
	return Limits{t.key(int(n.least)), t.key(int(n.greatest))}
}

// Alike compares the entries of t with those of another tree. It returns the index of the first entry whose key or
// value differs, at most the number of entries that both have.
func (t *Tree) Alike(other *Tree) int {
	n := min(t.n, other.n)
	for i := range n {
		a, b := t.at(i), other.at(i)
		if t.keys.at(a.key) != other.keys.at(b.key) || !object.Same(t.value(a), other.value(b)) {
			return i
		}
	}
	return n
}

// append adds e as the last entry and returns its key.
func (t *Tree) append(e entry) Key {
	last := len(t.blocks) - 1
	switch {
	case last < 0: // the first block grows, because most trees are small
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

// widen extends the bounds of n to include the keys of the entries least and greatest.
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

// linkKids collects the child nodes of each node and sets kidsLen.
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

// An arena holds the bytes of keys or values in few large pieces.
type arena struct {
	chunks []string
	open   strings.Builder // last chunk, if add made it; never grows beyond its capacity
}

// A span is the position of a key or value in an arena.
type span struct{ chunk, start, length uint32 }

// Each chunk is twice as large as the one before, up to a megabyte.
const (
	firstChunk = 1 << 10
	doublings  = 10
)

func (a *arena) add(b []byte) span {
	last := len(a.chunks) - 1
	if a.open.Cap() == 0 || a.open.Cap()-a.open.Len() < len(b) {
		last++
		a.open.Reset()
		a.open.Grow(max(len(b), firstChunk<<min(last, doublings)))
		a.chunks = append(a.chunks, "")
	}
	start := a.open.Len()
	a.open.Write(b)
	a.chunks[last] = a.open.String()
	return span{uint32(last), uint32(start), uint32(len(b))}
}

func (a *arena) at(s span) Key {
	return Key(a.chunks[s.chunk][s.start:][:s.length])
}
