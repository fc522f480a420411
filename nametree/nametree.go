// Package nametree reads and writes name trees (ISO 32000-2:2020, 7.9.6): the
// B-trees of PDF that lead from strings to objects.
//
// [Read] takes a tree as it is. Each problem, from keys out of
// order to a node that is its own child, is a [Defect] in the [Tree]; every
// entry that can be reached is there, in stored order. An error means that the
// [object.Source] could not be read, and says nothing about the tree.
//
//	t, err := nametree.Read(src, root) // err: the disk failed
//	for d := range t.Defects() {       // the tree failed
//		…
//	}
//	for i, e := range t.Entries() {
//		…
//	}
//
// Two ways lead from a key to its entries. [Tree.Find] goes the way of a
// viewer, guided by Limits, and gets lost where a viewer gets lost; [Tree.All]
// finds every entry that there is. [Tree.Missed] yields the difference.
//
// [Tree.Edit] begins a change, and [Edit.Write] writes it: only the nodes that
// differ, so that what comes of it is a sound tree, whatever defects the old one
// has. Reading keeps, writing refuses: where it cannot be known which entries
// are meant, or something would be lost that nobody has given up, nothing is
// written, and a [Refused] error says why.
//
// A Tree holds no views of the file's bytes, and it is never changed after
// Read: several goroutines may use it at once.
package nametree

import (
	"encoding/hex"
	"iter"
	"unsafe"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Key is the key of an entry: the bytes of a string after its escapes or
// digits were decoded, and nothing else. Keys compare with <, which is the
// order of name trees: unsigned bytes, and a shorter key before a longer one
// that begins with it (7.9.6).
type Key string

// String returns the key in a form that is safe to print, and that a PDF file may have:
// as a literal string such as (http://a/) or (Nov\375) if at least three quarters of its
// bytes are printable ASCII, otherwise as a hexadecimal one such as <00ff> (7.3.4).
func (k Key) String() string {
	odd := 0
	for i := range len(k) {
		if !printable(k[i]) {
			odd++
		}
	}
	if 4*odd > len(k) {
		return "<" + hex.EncodeToString([]byte(k)) + ">"
	}
	b := append(make([]byte, 0, len(k)+2+3*odd), '(')
	for i := range len(k) {
		switch c := k[i]; {
		case !printable(c):
			b = append(b, '\\', '0'+c>>6, '0'+c>>3&7, '0'+c&7)
		case c == '(', c == ')', c == '\\':
			b = append(b, '\\', c)
		default:
			b = append(b, c)
		}
	}
	b = append(b, ')')
	return unsafe.String(unsafe.SliceData(b), len(b)) // a copy of a key of 500 MB would be as large
}

func printable(c byte) bool { return c >= 0x20 && c <= 0x7e }

// Shorten is String of the first n bytes, with an ellipsis if there are more.
func (k Key) Shorten(n int) string {
	if len(k) <= n {
		return k.String()
	}
	return k[:n].String() + "…"
}

// Limits are the least and the greatest key of a leaf, or of all leaves below
// an intermediate node (7.9.6, table 36).
type Limits struct {
	Least, Greatest Key
}

// An Entry is one pair of a Names array.
type Entry struct {
	Key    Key
	Value  object.Object // as stored, mostly a reference; not resolved
	KeyRef object.Ref    // the reference in the key's place; Num is 0 if the string itself stands there
	Node   int           // the node whose Names array holds the pair
	Pair   int           // which pair of that array, counted from 0, pairs that make no entry included
}

// A Node is one node of a tree.
type Node struct {
	Ref    object.Ref // the object that is the node; Num is 0 if its dictionary stands in its parent
	Parent int        // -1 for the root
	Index  int        // in the Kids array of the parent; -1 for the root
	Depth  int        // 0 for the root

	// HasKids and HasNames tell a leaf (Names) from an intermediate node
	// (Kids). A broken node has both, or neither.
	HasKids, HasNames bool

	// Kids are the nodes below, in stored order. What is not a node, or was
	// reached before, is not among them. The caller must not change
	// the slice.
	Kids []int

	// First and Count are the entries of the node's own Names array. The
	// entries of a node that has Kids too come before those of its kids.
	First, Count int

	// Limits is what the node says about its keys, if HasLimits: if there is a
	// Limits array, and it is made of two strings.
	Limits    Limits
	HasLimits bool

	// Bounds is what Limits should be, if HasBounds: if there is a key in the
	// node or below, and nothing below was out of reach.
	Bounds    Limits
	HasBounds bool
}

// A Tree is a name tree as it was read.
type Tree struct {
	keys    arena
	blocks  [][]entry // all but the last one are full
	n       int       // entries
	nodes   []node
	kids    []int  // of all nodes, those of one node together
	values  arena  // the bytes of values that are not references
	direct  []span // these values
	defects []defect
	details []details        // of defects
	kept    [defectKinds]int // of defects, by kind
	left    [defectKinds]int // by kind, those that are only counted

	disorder   bool    // some entry's key is less than that of the entry before
	repeated   bool    // some key is that of the entry before
	byKey      []int32 // entries by key, then in stored order; nil unless disorder
	misleading bool    // a defect may keep Find from an entry
}

// Len returns the number of entries.
func (t *Tree) Len() int { return t.n }

// Entry returns entry i in stored order, counted from 0.
func (t *Tree) Entry(i int) Entry {
	e := t.at(i)
	return Entry{
		Key:    t.keys.at(e.key),
		Value:  t.value(e),
		KeyRef: object.Ref{Num: e.keyNum, Gen: e.keyGen},
		Node:   int(e.node),
		Pair:   int(e.pair & pairMask),
	}
}

// Value is the Value of Entry i, which takes less time than all of it.
func (t *Tree) Value(i int) object.Object { return t.value(t.at(i)) }

// Entries yields every entry in stored order, duplicates included.
func (t *Tree) Entries() iter.Seq2[int, Entry] {
	return func(yield func(int, Entry) bool) {
		for i := range t.n {
			if !yield(i, t.Entry(i)) {
				return
			}
		}
	}
}

// NodeCount returns the number of nodes: 0 if not even the root is one.
func (t *Tree) NodeCount() int { return len(t.nodes) }

// Node returns node i. Node 0 is the root, and every node stands before the
// nodes below it, these before its next sibling.
func (t *Tree) Node(i int) Node {
	n := &t.nodes[i]
	out := Node{
		Ref:       n.ref,
		Parent:    int(n.parent),
		Index:     int(n.index),
		Depth:     int(n.depth),
		HasKids:   n.hasKids,
		HasNames:  n.hasNames,
		Kids:      t.kidsOf(n),
		First:     int(n.first),
		Count:     int(n.count),
		HasLimits: n.hasLimits,
	}
	if n.hasLimits {
		out.Limits = t.limits(n)
	}
	if n.least >= 0 && !n.partial {
		out.HasBounds = true
		out.Bounds = t.bounds(n)
	}
	return out
}

// Defects yields what is wrong with the tree, in document order: by node, then by
// kid or pair, what concerns the whole node first.
func (t *Tree) Defects() iter.Seq[Defect] {
	return func(yield func(Defect) bool) {
		for _, d := range t.defects {
			if !yield(t.defect(d)) {
				return
			}
		}
	}
}

// DefectCount returns how many defects of a kind there are, those included that
// Defects does not yield because there are too many (TooManyDefects).
func (t *Tree) DefectCount(k DefectKind) int { return t.kept[k] + t.left[k] }

// Ascending reports whether every key is greater than the one before it in
// stored order, across leaves, as it has to be (7.9.6).
func (t *Tree) Ascending() bool { return !t.disorder && !t.repeated }
