// Package nametree reads and writes name trees (ISO 32000-2:2020, 7.9.6): the B-trees of PDF that lead from strings
// to objects.
//
// [Read] reads any tree. Each problem, from keys out of order to a node that is its own child, is a [Defect] in the
// [Tree], which has all reachable entries in stored order. An error means that the [object.Source] could not be
// read; it is not about the tree.
//
//	t, err := nametree.Read(src, root) // err: the disk failed
//	for d := range t.Defects() {       // the tree failed
//		…
//	}
//	for i, e := range t.Entries() {
//		…
//	}
//
// There are two ways to look up a key. [Tree.Find] follows Limits as a viewer does, and misses the entries that a
// viewer misses; [Tree.All] finds all entries. [Tree.Missed] yields the difference.
//
// [Tree.Edit] begins a change, and [Edit.Write] writes only the nodes that differ. The result is a sound tree, even
// if the old one has defects. If the intended entries are unclear, or data would be lost, Write writes nothing and
// returns a [Refused] error with the reason.
//
// A Tree does not refer to the file's bytes and never changes after Read: several goroutines may use it at once.
package nametree

import (
	"encoding/hex"
	"iter"
	"unsafe"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Key is the key of an entry: the bytes of a string with escapes or digits decoded. Keys compare with <, which is
// the order of name trees: unsigned bytes, and a shorter key before a longer one that begins with it (7.9.6).
type Key string

// String returns the key as PDF syntax that is safe to print: a literal string such as (http://a/) or (Nov\375) if
// at least three quarters of its bytes are printable ASCII, otherwise a hexadecimal string such as <00ff> (7.3.4).
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
	return unsafe.String(unsafe.SliceData(b), len(b)) // avoids a copy: a key may have 500 MB
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
	Value  object.Object // as stored, usually a reference; not resolved
	KeyRef object.Ref    // reference in place of the key; Num is 0 if the key is a direct string
	Node   int           // node whose Names array contains the pair
	Pair   int           // index of the pair in that array; pairs that are not entries count
}

// A Node is one node of a tree.
type Node struct {
	Ref    object.Ref // object of the node; Num is 0 if its dictionary is direct in its parent
	Parent int        // -1 for the root
	Index  int        // in the Kids array of the parent; -1 for the root
	Depth  int        // 0 for the root

	// HasKids and HasNames distinguish a leaf (Names) from an intermediate node (Kids). A broken node has both, or
	// neither.
	HasKids, HasNames bool

	// Kids are the child nodes, in stored order. Elements that are not nodes, or were reached before, are not included.
	// The caller must not change the slice.
	Kids []int

	// First and Count are the range of entries of the node's own Names array. If the node also has Kids, its own
	// entries come first.
	First, Count int

	// Limits is the stored value, if HasLimits: if there is a Limits array of two strings.
	Limits    Limits
	HasLimits bool

	// Bounds is the correct value of Limits, if HasBounds: if there is a key in or below the node, and everything below
	// was read.
	Bounds    Limits
	HasBounds bool
}

// A Tree is a name tree as Read found it.
type Tree struct {
	keys    arena
	blocks  [][]entry // all but the last one are full
	n       int       // entries
	nodes   []node
	kids    []int  // of all nodes; those of one node are contiguous
	values  arena  // bytes of direct values
	direct  []span // direct values
	defects []defect
	details []details        // of defects
	kept    [defectKinds]int // of defects, by kind
	left    [defectKinds]int // by kind: counted, but not kept

	disorder   bool    // the key of some entry is less than the one before it
	repeated   bool    // the key of some entry is equal to the one before it
	byKey      []int32 // entries by key, then in stored order; nil unless disorder
	misleading bool    // a defect may hide an entry from Find
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

// Value is the Value of Entry(i), but faster.
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

// NodeCount returns the number of nodes: 0 if the root is not a node.
func (t *Tree) NodeCount() int { return len(t.nodes) }

// Node returns node i. Node 0 is the root, and each node comes before its descendants, which come before its next
// sibling.
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

// Defects yields the defects of the tree in document order: by node, then by kid or pair; defects of the whole node
// come first.
func (t *Tree) Defects() iter.Seq[Defect] {
	return func(yield func(Defect) bool) {
		for _, d := range t.defects {
			if !yield(t.defect(d)) {
				return
			}
		}
	}
}

// DefectCount returns the number of defects of a kind, including those that Defects does not yield because there
// are too many (TooManyDefects).
func (t *Tree) DefectCount(k DefectKind) int { return t.kept[k] + t.left[k] }

// Ascending reports whether each key is greater than the one before it in stored order, across leaves, as 7.9.6
// demands.
func (t *Tree) Ascending() bool { return !t.disorder && !t.repeated }
