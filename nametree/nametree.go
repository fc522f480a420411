// Package nametree reads and writes name trees (ISO 32000-2:2020, 7.9.6): the B-trees of PDF that map strings to
// objects.
//
// [Read] reads any tree, even a damaged one. The [Tree] has all reachable entries in stored order, and a [Defect] for
// each problem, from keys out of order to a node that is its own child. An error means that the [object.Source] could
// not be read; problems of the tree are never errors.
//
//	t, err := nametree.Read(src, root, nil) // err: the disk failed
//	for d := range t.Defects() {            // the tree failed
//		…
//	}
//	for i, e := range t.Entries() {
//		…
//	}
//
// There are two ways to look up a key. [Tree.Find] follows Limits as a viewer does, and misses the entries that a
// viewer misses. [Tree.All] finds all entries with the key. [Tree.Missed] yields the entries that only All finds.
//
// [Tree.Edit] begins a change, and [Edit.Write] writes only the nodes that differ. The new tree is sound, even if the
// old tree has defects. If the intended entries are unclear, or data would be lost, Write writes nothing and returns a
// [Refused] error with the reason.
//
// A Tree does not refer to the bytes of the file, and never changes after Read. It is safe for concurrent use.
package nametree

import (
	"encoding/hex"
	"iter"
	"slices"
	"strings"
	"unsafe"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A Key is the key of an entry: the bytes of a string with escapes or hexadecimal digits decoded. The operator < has
// the order of name trees: bytes are unsigned, and a key comes before a longer key that begins with it (7.9.6).
type Key string

// String returns the key in PDF syntax (7.3.4) that is safe to print. If at least three quarters of the bytes are
// printable ASCII, it is a literal string such as (http://a/) or (Nov\375), otherwise a hexadecimal string such as
// <00ff>.
func (k Key) String() string {
	b := k.Append(nil)
	return unsafe.String(unsafe.SliceData(b), len(b)) // avoids a copy: a key may have 500 MB
}

// Append appends the String of the key.
func (k Key) Append(b []byte) []byte {
	odd := 0
	for i := range len(k) {
		if !printable(k[i]) {
			odd++
		}
	}
	if 4*odd > len(k) {
		b = append(slices.Grow(b, 2+2*len(k)), '<')
		return append(hex.AppendEncode(b, []byte(k)), '>')
	}
	b = append(slices.Grow(b, len(k)+2+3*odd), '(')
	if odd == 0 && !strings.ContainsAny(string(k), `()\`) { // the usual case is fast
		return append(append(b, k...), ')')
	}
	start := 0 // of the bytes that are not yet appended
	for i := range len(k) {
		c := k[i]
		if printable(c) && c != '(' && c != ')' && c != '\\' {
			continue
		}
		b = append(append(b, k[start:i]...), '\\')
		if start = i; !printable(c) {
			b, start = append(b, '0'+c>>6, '0'+c>>3&7, '0'+c&7), i+1
		}
	}
	return append(append(b, k[start:]...), ')')
}

func printable(c byte) bool { return c >= 0x20 && c <= 0x7e }

// Shorten is String for the first n bytes of the key. It adds an ellipsis if the key is longer.
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
	Value  object.Object // value as stored, usually a reference, which is not resolved
	KeyRef object.Ref    // reference to the key string; Num is 0 if the key is a direct string
	Node   int           // node whose Names array contains the pair
	Pair   int           // index of the pair in that array; pairs that are not entries are counted
}

// A Node is one node of a tree.
type Node struct {
	Ref    object.Ref // object of the node; Num is 0 if its dictionary is direct in its parent
	Parent int        // index of the parent; -1 for the root
	Index  int        // index in the Kids array of the parent; -1 for the root
	Depth  int        // distance from the root; 0 for the root

	// HasKids and HasNames report whether the node has Kids and Names. An intermediate node has Kids, and a leaf has
	// Names. A broken node has both or neither.
	HasKids, HasNames bool

	// Kids are the child nodes, in stored order. Elements that are not nodes, or were reached before, are not included.
	// The caller must not change the slice.
	Kids []int

	// First and Count are the first entry and the number of entries of the node's own Names array. If the node also has
	// Kids, its own entries come before those of the kids.
	First, Count int

	// Limits is the stored value. HasLimits is true if the node has a Limits array of two strings.
	Limits    Limits
	HasLimits bool

	// Bounds is the correct value of Limits. HasBounds is true if there is a key in or below the node, and all nodes
	// below it were read.
	Bounds    Limits
	HasBounds bool

	least, greatest int  // entries with the least and the greatest key, or -1
	partial         bool // the node or a descendant was not read completely
}

// A Tree is a name tree as it is in the file.
type Tree struct {
	keys    arena
	blocks  [][]entry       // all but the last one are full
	direct  []object.Object // values that are not references
	n       int             // number of entries
	nodes   []Node
	defects []Defect
	kept    [defectKinds]int // number of defects, by kind

	disorder bool  // the key of some entry is less than the one before it
	repeated bool  // the key of some entry is equal to the one before it
	byKey    []int // entries sorted by key, then in stored order; nil if disorder is false
}

// Len returns the number of entries.
func (t *Tree) Len() int { return t.n }

// Entry returns entry i in stored order, counted from 0.
func (t *Tree) Entry(i int) Entry {
	e := t.at(i)
	return Entry{Key: t.keys.at(e.key), Value: t.value(e), KeyRef: object.Ref{Num: e.keyNum, Gen: e.keyGen},
		Node: int(e.node), Pair: int(e.pair)}
}

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

// NodeCount returns the number of nodes. It is 0 if the root is not a node.
func (t *Tree) NodeCount() int { return len(t.nodes) }

// Node returns node i. Nodes are in depth-first order: node 0 is the root, and each node is followed by its
// descendants, then by its next sibling.
func (t *Tree) Node(i int) Node { return t.nodes[i] }

// Defects yields the defects of the tree in document order: by node, then by kid or pair. For each node, defects of the
// whole node come first.
func (t *Tree) Defects() iter.Seq[Defect] { return slices.Values(t.defects) }

// DefectCount returns the number of defects of a kind.
func (t *Tree) DefectCount(k DefectKind) int { return t.kept[k] }

// Ascending reports whether each key is greater than the previous key in stored order, across leaves, as 7.9.6 demands.
func (t *Tree) Ascending() bool { return !t.disorder && !t.repeated }
