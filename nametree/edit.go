package nametree

import (
	"cmp"
	"iter"
	"slices"
	"sort"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// An Edit is a set of changes to a [Tree]. The Tree itself never changes:
// [Edit.Write] writes what the changes make of it.
//
// Entries, nodes and pairs are those of the Tree, by the numbers that it gives
// them. What Edit is given as text has to be one well-formed object, and the
// caller must not change it afterwards.
type Edit struct {
	t       *Tree
	placed  []Pair  // entries with new keys, and those that are added
	renamed []int32 // by entry: its place in placed, counted from 1; nil if there are none
	values  map[int][]byte
	removed map[int]bool
	dropped map[pairOf]bool
	fanOut  int

	seq *sequence // nil after a change
}

// A pairOf is a pair of a node's Names array.
type pairOf struct{ node, pair int }

// A Pair is an entry of the tree that [Edit.Write] makes.
type Pair struct {
	Key    Key
	KeyRef object.Ref // the reference in the key's place; Num is 0 if the string itself stands there
	Origin int        // the entry of the Tree that it was; -1 if it was added
	Value  []byte     // the text of its value; nil if that is the value of Origin
}

// Edit returns an Edit that changes nothing yet. That of the zero Tree makes a
// new tree of what is added.
func (t *Tree) Edit() *Edit {
	return &Edit{
		t:       t,
		values:  make(map[int][]byte),
		removed: make(map[int]bool),
		dropped: make(map[pairOf]bool),
		fanOut:  fanOut,
	}
}

// SetKey gives entry i the key k. If at.Num is not 0, it is a string object
// that holds k, and the pair will refer to it; otherwise the string is written
// in place. That k and at are what they were makes no difference: the leaf is
// written.
func (e *Edit) SetKey(i int, k Key, at object.Ref) {
	e.seq = nil
	if e.renamed == nil {
		e.renamed = make([]int32, e.t.n)
	}
	p := Pair{Key: k, KeyRef: at, Origin: i}
	if j := e.renamed[i]; j > 0 {
		e.placed[j-1] = p
		return
	}
	e.placed = append(e.placed, p)
	e.renamed[i] = int32(len(e.placed))
}

// SetValue gives entry i the value of which this is the text, a reference or a
// direct object.
func (e *Edit) SetValue(i int, value []byte) { e.values[i] = value }

// Remove takes entry i out, and ignores other changes of it.
func (e *Edit) Remove(i int) {
	e.seq = nil
	e.removed[i] = true
}

// Add adds an entry; k and at are as for SetKey, value as for SetValue.
func (e *Edit) Add(k Key, at object.Ref, value []byte) {
	e.seq = nil
	e.placed = append(e.placed, Pair{Key: k, KeyRef: at, Origin: -1, Value: value})
}

// DropPair allows Write to leave out a pair that makes no entry: one that is
// the subject of a defect KeyNull, KeyNotString, KeyUnreadable or OddNames. For
// any other pair it means nothing.
func (e *Edit) DropPair(node, pair int) { e.dropped[pairOf{node, pair}] = true }

// Len returns the number of entries of the tree that Write makes.
func (e *Edit) Len() int { return len(e.sequence().order) }

// Changed yields the entries of the tree that Write makes, in its order, with their indexes, but
// for those that are Kept. Where several have one key, Write refuses; here they come one after
// the other.
func (e *Edit) Changed() iter.Seq2[int, Pair] {
	return func(yield func(int, Pair) bool) {
		s := e.sequence()
		u := 0
		for _, kept := range append(e.Kept(), Stretch{At: len(s.order)}) {
			for ; u < kept.At; u++ {
				if !yield(u, s.pair(u)) {
					return
				}
			}
			u += kept.Len
		}
	}
}

// A Stretch is entries that follow each other in a tree, and in the one that an Edit makes of it,
// with the same keys and values.
type Stretch struct {
	From, At int // the index of the first of them, in the one tree and in the other
	Len      int
}

// Kept returns what the tree that Write makes has of the old one, in its order, in stretches that
// are as long as can be. An entry with a key that was set is not in any.
func (e *Edit) Kept() []Stretch {
	hasValue := make([]bool, e.t.n)
	for i := range e.values {
		hasValue[i] = true
	}
	var list []Stretch
	for u, i := range e.sequence().order {
		if i < 0 || hasValue[i] {
			continue
		}
		if last := len(list) - 1; last >= 0 && int(i) == list[last].From+list[last].Len &&
			u == list[last].At+list[last].Len {
			list[last].Len++
			continue
		}
		list = append(list, Stretch{int(i), u, 1})
	}
	return list
}

// A sequence is the result of an Edit: entries by key.
type sequence struct {
	e      *Edit
	order  []int32 // an entry that keeps its key, or ^i for e.placed[i]
	placed int     // how many are of e.placed
}

// sequence returns the result, which is made once after each change.
func (e *Edit) sequence() *sequence {
	if e.seq == nil {
		e.seq = e.merged()
	}
	return e.seq
}

// merged puts entries that keep their keys and those of placed in one order.
func (e *Edit) merged() *sequence {
	t := e.t
	gone := make([]bool, t.n) // not to be found under its old key
	for i := range e.removed {
		gone[i] = true
	}
	placed := make([]int32, 0, len(e.placed))
	for j := range e.placed {
		if i := e.placed[j].Origin; i < 0 || !gone[i] {
			placed = append(placed, int32(j))
		}
	}
	for _, j := range placed {
		if i := e.placed[j].Origin; i >= 0 {
			gone[i] = true
		}
	}
	slices.SortFunc(placed, e.comparePlaced)

	s := &sequence{e: e, placed: len(placed), order: make([]int32, 0, t.n+len(placed))}
	rank := 0
	upTo := func(end int) {
		for ; rank < end; rank++ {
			if i := t.ranked(rank); !gone[i] {
				s.order = append(s.order, int32(i))
			}
		}
	}
	for _, j := range placed {
		upTo(rank + sort.Search(t.n-rank, func(d int) bool { return t.key(t.ranked(rank+d)) > e.placed[j].Key }))
		s.order = append(s.order, ^j)
	}
	upTo(t.n)
	return s
}

// comparePlaced orders by key; those with one key as they stand in the tree, and
// then as they were added.
func (e *Edit) comparePlaced(i, j int32) int {
	a, b := &e.placed[i], &e.placed[j]
	if c := strings.Compare(string(a.Key), string(b.Key)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(uint(a.Origin), uint(b.Origin)), cmp.Compare(i, j)) // -1 is the greatest
}

func (s *sequence) key(u int) Key {
	i := s.order[u]
	if i < 0 {
		return s.e.placed[^i].Key
	}
	return s.e.t.key(int(i))
}

func (s *sequence) pair(u int) Pair {
	var p Pair
	if i := int(s.order[u]); i >= 0 {
		entry := s.e.t.Entry(i)
		p = Pair{Key: entry.Key, KeyRef: entry.KeyRef, Origin: i}
	} else {
		p = s.e.placed[^i]
	}
	if p.Origin >= 0 {
		p.Value = s.e.values[p.Origin]
	}
	return p
}

// repeated returns a key that stands twice.
func (s *sequence) repeated() (Key, bool) {
	ascending := s.e.t.Ascending()
	for u := 1; u < len(s.order); u++ {
		a, b := s.order[u-1], s.order[u]
		if ascending && a >= 0 && b >= 0 {
			continue
		}
		if k := s.key(u); k == s.key(u-1) {
			return k, true
		}
	}
	return "", false
}
