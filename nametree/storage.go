package nametree

import (
	"bytes"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// own returns o without the bytes of the file.
func own(o object.Object) object.Object {
	if ref, ok := o.Ref(); ok {
		return object.MakeRef(ref)
	}
	return o.Clone()
}

// An entry is the stored form of an Entry. It has no pointers: otherwise, the garbage collector would visit each of a
// million entries.
type entry struct {
	key              span
	value, keyNum    uint32 // object numbers of references; value is an index of Tree.direct if isDirect is set
	node, pair       int32
	valueGen, keyGen uint16
	isDirect         bool
}

// Entries are in blocks, because copying a long slice to extend it takes time and memory. A block takes 288 KB.
const (
	blockBits = 13
	blockSize = 1 << blockBits
)

func (t *Tree) at(i int) *entry { return &t.blocks[i>>blockBits][i&(blockSize-1)] }

func (t *Tree) key(i int) Key { return t.keys.at(t.at(i).key) }

func (t *Tree) value(e *entry) object.Object {
	if e.isDirect {
		return t.direct[e.value]
	}
	return object.MakeRef(object.Ref{Num: e.value, Gen: e.valueGen})
}

// Alike compares the entries of t with those of another tree. It returns the index of the first entry whose key or
// value differs, at most the number of entries that both have.
func (t *Tree) Alike(other *Tree) int {
	n := min(t.n, other.n)
	for i := range n {
		if t.key(i) != other.key(i) || !object.Same(t.value(t.at(i)), other.value(other.at(i))) {
			return i
		}
	}
	return n
}

// append adds an entry as the last one, with the bytes of its key in place of Key. It returns the key.
func (t *Tree) append(key []byte, e Entry) Key {
	stored := entry{key: t.keys.add(key), keyNum: e.KeyRef.Num, keyGen: e.KeyRef.Gen, node: int32(e.Node),
		pair: int32(e.Pair)}
	if ref, ok := e.Value.Ref(); ok {
		stored.value, stored.valueGen = ref.Num, ref.Gen
	} else {
		// In trees with direct values, all entries usually have the same value, such as null.
		last := len(t.direct) - 1
		if last < 0 || !bytes.Equal(t.direct[last].Raw(), e.Value.Raw()) {
			t.direct = append(t.direct, own(e.Value))
			last++
		}
		stored.value, stored.isDirect = uint32(last), true
	}
	last := len(t.blocks) - 1
	switch {
	case last < 0: // the first block grows, because most trees are small
		t.blocks = append(t.blocks, nil)
		last++
	case len(t.blocks[last]) == blockSize:
		t.blocks = append(t.blocks, make([]entry, 0, blockSize))
		last++
	}
	t.blocks[last] = append(t.blocks[last], stored)
	t.n++
	return t.keys.at(stored.key)
}

// bounds returns the least and the greatest key in and below a node, as far as they were read.
func (t *Tree) bounds(n *Node) Limits { return Limits{t.key(n.least), t.key(n.greatest)} }

// widen extends the bounds of n to include the keys of the entries least and greatest.
func (t *Tree) widen(n *Node, least, greatest int) {
	if n.least < 0 {
		n.least, n.greatest = least, greatest
		return
	}
	if t.key(least) < t.key(n.least) {
		n.least = least
	}
	if t.key(greatest) > t.key(n.greatest) {
		n.greatest = greatest
	}
}

// An arena holds the bytes of keys in few large pieces.
type arena struct {
	pieces []string
	open   strings.Builder // the last piece; never grows beyond its capacity
}

// A span is the position of a key in an arena.
type span struct{ piece, start, length uint32 }

// Each piece is twice as large as the one before, up to a megabyte.
const (
	firstPiece = 1 << 10
	lastPiece  = 1 << 20
)

// add keeps a copy of b.
func (a *arena) add(b []byte) span {
	if len(a.pieces) == 0 || a.open.Cap()-a.open.Len() < len(b) {
		size := min(max(firstPiece, 2*a.open.Cap()), lastPiece)
		a.open.Reset()
		a.open.Grow(max(len(b), size))
		a.pieces = append(a.pieces, "")
	}
	start, last := a.open.Len(), len(a.pieces)-1
	a.open.Write(b)
	a.pieces[last] = a.open.String()
	return span{uint32(last), uint32(start), uint32(len(b))}
}

func (a *arena) at(s span) Key { return Key(a.pieces[s.piece][s.start:][:s.length]) }
