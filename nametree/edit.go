package nametree

import (
	"iter"
	"maps"
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
	keys    map[int]Pair
	values  map[int][]byte
	removed map[int]bool
	dropped map[pairOf]bool
	added   []Pair
	fanOut  int
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
		keys:    make(map[int]Pair),
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
	e.keys[i] = Pair{Key: k, KeyRef: at, Origin: i}
}

// SetValue gives entry i the value of which this is the text, a reference or a
// direct object.
func (e *Edit) SetValue(i int, value []byte) { e.values[i] = value }

// Remove takes entry i out, whatever else is set for it.
func (e *Edit) Remove(i int) { e.removed[i] = true }

// Add adds an entry; k and at are as for SetKey, value as for SetValue.
func (e *Edit) Add(k Key, at object.Ref, value []byte) {
	e.added = append(e.added, Pair{Key: k, KeyRef: at, Origin: -1, Value: value})
}

// DropPair allows Write to leave out a pair that makes no entry: one that is
// the subject of a defect KeyNull, KeyNotString, KeyUnreadable or OddNames. For
// any other pair it means nothing.
func (e *Edit) DropPair(node, pair int) { e.dropped[pairOf{node, pair}] = true }

// Result yields the entries of the tree that Write makes, in its order. Where
// several have one key, Write refuses; here they come one after the other.
func (e *Edit) Result() iter.Seq[Pair] {
	return func(yield func(Pair) bool) {
		s := e.sequence()
		for i := range s.order {
			if !yield(s.pair(i)) {
				return
			}
		}
	}
}

// A sequence is the result of an Edit: entries by key.
type sequence struct {
	e      *Edit
	order  []int32 // an entry that keeps its key, or ^i for placed[i]
	placed []Pair  // entries with new keys, by key
}

func (e *Edit) sequence() *sequence {
	t := e.t
	s := &sequence{e: e}
	gone := make([]bool, t.n) // not to be found under its old key
	for i := range e.removed {
		gone[i] = true
	}
	for _, i := range slices.Sorted(maps.Keys(e.keys)) {
		if !gone[i] {
			gone[i] = true
			s.placed = append(s.placed, e.keys[i])
		}
	}
	s.placed = append(s.placed, e.added...)
	slices.SortStableFunc(s.placed, func(a, b Pair) int { return strings.Compare(string(a.Key), string(b.Key)) })

	s.order = make([]int32, 0, t.n+len(e.added))
	rank := 0
	upTo := func(end int) {
		for ; rank < end; rank++ {
			if i := t.ranked(rank); !gone[i] {
				s.order = append(s.order, int32(i))
			}
		}
	}
	for j, p := range s.placed {
		upTo(rank + sort.Search(t.n-rank, func(d int) bool { return t.key(t.ranked(rank+d)) > p.Key }))
		s.order = append(s.order, ^int32(j))
	}
	upTo(t.n)
	return s
}

func (s *sequence) key(u int) Key {
	i := s.order[u]
	if i < 0 {
		return s.placed[^i].Key
	}
	return s.e.t.key(int(i))
}

func (s *sequence) pair(u int) Pair {
	var p Pair
	if i := int(s.order[u]); i >= 0 {
		entry := s.e.t.Entry(i)
		p = Pair{Key: entry.Key, KeyRef: entry.KeyRef, Origin: i}
	} else {
		p = s.placed[^i]
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
