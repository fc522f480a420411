package nametree

import (
	"cmp"
	"slices"
	"sort"
	"strings"

	"github.com/webcap-tools/webcap/nametree/object"
)

// An Edit is a set of changes to a [Tree]. The Tree itself never changes: [Edit.Write] writes the changed tree.
//
// Methods identify entries, nodes, and pairs by their numbers in the Tree. Text passed to an Edit must be one
// well-formed object, and the caller must not change it afterwards.
type Edit struct {
	t       *Tree
	placed  []editedPair // entries with new keys, and added entries
	renamed map[int]int  // index in placed, by entry
	values  map[int][]byte
	removed map[int]bool
	dropped map[pairOf]bool
	fanOut  int

	replaced map[object.Ref]bool // see Replace

	seq *sequence // cached result; nil after each change
}

// A pairOf is a pair of a node's Names array.
type pairOf struct{ node, pair int }

// An editedPair is an entry of the new tree, which [Edit.Write] writes.
type editedPair struct {
	Key    Key
	KeyRef object.Ref // reference to the key string; Num is 0 if the key is a direct string
	Origin int        // the same entry in the old Tree; -1 if the entry was added
	Value  []byte     // text of the value; nil if the value is that of entry Origin
}

// Edit returns an Edit without changes. To make a new tree, call Edit on the zero Tree and add entries.
func (t *Tree) Edit() *Edit {
	return &Edit{
		t:       t,
		renamed: make(map[int]int),
		values:  make(map[int][]byte),
		removed: make(map[int]bool),
		dropped: make(map[pairOf]bool),
		fanOut:  fanOut,
	}
}

// SetKey gives entry i the key k, as a direct string. The leaf is written even if k is unchanged.
func (e *Edit) SetKey(i int, k Key) {
	e.seq = nil
	p := editedPair{Key: k, Origin: i}
	if j, ok := e.renamed[i]; ok {
		e.placed[j] = p
		return
	}
	e.renamed[i] = len(e.placed)
	e.placed = append(e.placed, p)
}

// SetValue sets the value of entry i. value is the text of a reference or a direct object.
func (e *Edit) SetValue(i int, value []byte) { e.values[i] = value }

// Remove removes entry i. Other changes of entry i are ignored.
func (e *Edit) Remove(i int) {
	e.seq = nil
	e.removed[i] = true
}

// Add adds an entry; k is as for SetKey, value as for SetValue.
func (e *Edit) Add(k Key, value []byte) {
	e.seq = nil
	e.placed = append(e.placed, editedPair{Key: k, Origin: -1, Value: value})
}

// DropPair allows Write to omit a pair that is not an entry. Such a pair has a defect KeyNull, KeyNotString,
// KeyUnreadable, or OddNames. DropPair has no effect on other pairs.
func (e *Edit) DropPair(node, pair int) { e.dropped[pairOf{node, pair}] = true }

// Replace has Write put new objects in place of nodes, because something else uses the present ones.
func (e *Edit) Replace(nodes map[object.Ref]bool) { e.replaced = nodes }

// A sequence is the result of an Edit: entries by key.
type sequence struct {
	e      *Edit
	order  []int // number of an entry that keeps its key, or ^i for e.placed[i]
	placed int   // number of entries from e.placed
}

// sequence returns the result of e. It is computed only once after each change.
func (e *Edit) sequence() *sequence {
	if e.seq == nil {
		e.seq = e.merged()
	}
	return e.seq
}

// merged merges the entries that keep their keys with the entries in placed, in the order of keys.
func (e *Edit) merged() *sequence {
	t := e.t
	gone := make([]bool, t.n) // entries that are removed or have a new key
	for i := range e.removed {
		gone[i] = true
	}
	placed := make([]int, 0, len(e.placed))
	for j := range e.placed {
		if i := e.placed[j].Origin; i < 0 || !gone[i] {
			placed = append(placed, j)
		}
	}
	for _, j := range placed {
		if i := e.placed[j].Origin; i >= 0 {
			gone[i] = true
		}
	}
	slices.SortFunc(placed, e.comparePlaced)

	s := &sequence{e: e, placed: len(placed), order: make([]int, 0, t.n+len(placed))}
	rank := 0
	upTo := func(end int) {
		for ; rank < end; rank++ {
			if i := t.ranked(rank); !gone[i] {
				s.order = append(s.order, i)
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

// comparePlaced compares e.placed[i] and e.placed[j]: by key, then by position in the old tree, then by order of
// addition.
func (e *Edit) comparePlaced(i, j int) int {
	a, b := &e.placed[i], &e.placed[j]
	if c := strings.Compare(string(a.Key), string(b.Key)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(uint(a.Origin), uint(b.Origin)), cmp.Compare(i, j)) // -1 becomes the greatest
}

func (s *sequence) key(u int) Key {
	i := s.order[u]
	if i < 0 {
		return s.e.placed[^i].Key
	}
	return s.e.t.key(i)
}

func (s *sequence) pair(u int) editedPair {
	var p editedPair
	if i := s.order[u]; i >= 0 {
		entry := s.e.t.Entry(i)
		p = editedPair{Key: entry.Key, KeyRef: entry.KeyRef, Origin: i}
	} else {
		p = s.e.placed[^i]
	}
	if p.Origin >= 0 {
		p.Value = s.e.values[p.Origin]
	}
	return p
}

// repeated returns a key that occurs twice.
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
