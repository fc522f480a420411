package nametree

import (
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

// Entries are in blocks, because copying a long slice to extend it takes time and memory. A block takes 576 KB.
const (
	blockBits = 13
	blockSize = 1 << blockBits
)

func (t *Tree) at(i int) *Entry { return &t.blocks[i>>blockBits][i&(blockSize-1)] }

func (t *Tree) key(i int) Key { return t.at(i).Key }

// Alike compares the entries of t with those of another tree. It returns the index of the first entry whose key or
// value differs, at most the number of entries that both have.
func (t *Tree) Alike(other *Tree) int {
	n := min(t.n, other.n)
	for i := range n {
		a, b := t.at(i), other.at(i)
		if a.Key != b.Key || !object.Same(a.Value, b.Value) {
			return i
		}
	}
	return n
}

// append adds e as the last entry.
func (t *Tree) append(e Entry) {
	last := len(t.blocks) - 1
	switch {
	case last < 0: // the first block grows, because most trees are small
		t.blocks = append(t.blocks, nil)
		last++
	case len(t.blocks[last]) == blockSize:
		t.blocks = append(t.blocks, make([]Entry, 0, blockSize))
		last++
	}
	t.blocks[last] = append(t.blocks[last], e)
	t.n++
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
	open strings.Builder // the last piece; never grows beyond its capacity
}

// Each piece is twice as large as the one before, up to a megabyte.
const (
	firstPiece = 1 << 10
	lastPiece  = 1 << 20
)

// add returns a copy of b as a key.
func (a *arena) add(b []byte) Key {
	if a.open.Cap()-a.open.Len() < len(b) {
		size := min(max(firstPiece, 2*a.open.Cap()), lastPiece)
		a.open.Reset()
		a.open.Grow(max(len(b), size))
	}
	start := a.open.Len()
	a.open.Write(b)
	return Key(a.open.String()[start:])
}
