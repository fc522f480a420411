package nametree

import (
	"iter"
	"sort"
)

// Find looks up k as a viewer does, and returns the index of the entry that a viewer finds. If there is none, ok is
// false and i is -1. In a tree with defects, Find may miss an entry that Entries yields.
//
// Find works like pdf.js, which is stricter than PDFium. It descends from the root. In Kids, a binary search finds the
// kid whose Limits include k, without backtracking; in Names, a binary search finds the key. A kid without usable
// Limits ends the search. If a node has both Kids and Names, Find ignores Names. It skips kids that are not nodes or
// were reached before, and pairs that are not entries.
//
// PDFium is more tolerant: it tries all kids one by one. It skips kids that begin after k and leaves that end before k,
// enters kids without Limits, and reads Names up to the first greater key. But PDFium compares keys as text.
func (t *Tree) Find(k Key) (i int, ok bool) {
	if len(t.nodes) == 0 {
		return -1, false
	}
	n := &t.nodes[0]
	for n.HasKids {
		kids := n.Kids
		i, ok := search(len(kids), k, false, func(i int) (Limits, bool) {
			kid := &t.nodes[kids[i]]
			return kid.Limits, kid.HasLimits
		})
		if !ok {
			return -1, false
		}
		n = &t.nodes[kids[i]]
	}
	i, ok = search(n.Count, k, true, func(i int) (Limits, bool) {
		key := t.key(n.First + i)
		return Limits{key, key}, true
	})
	if !ok {
		return -1, false
	}
	return n.First + i, true
}

// search returns the index of the one of n kids or pairs whose limits include k. It is the binary search of pdf.js,
// which takes the greater one of two pairs in the middle, and the lesser one of two kids. It ends where limits returns
// false.
func search(n int, k Key, ofPairs bool, limits func(i int) (Limits, bool)) (i int, ok bool) {
	for low, high := 0, n-1; low <= high; {
		mid := (low + high) / 2
		if ofPairs {
			mid = (low + high + 1) / 2
		}
		at, ok := limits(mid)
		switch {
		case !ok:
			return -1, false
		case k < at.Least:
			high = mid - 1
		case k > at.Greatest:
			low = mid + 1
		default:
			return mid, true
		}
	}
	return -1, false
}

// Missed yields the entries that Find does not return for their own key, in stored order. Either Find does not reach
// the entry, or another entry with the same key hides it. If the tree has no defects, Missed does not search.
func (t *Tree) Missed() iter.Seq[int] {
	return func(yield func(int) bool) {
		if len(t.defects) == 0 {
			return
		}
		for i := range t.n {
			if j, _ := t.Find(t.key(i)); j != i && !yield(i) {
				return
			}
		}
	}
}

// All yields all entries with key k, in stored order.
func (t *Tree) All(k Key) iter.Seq[int] {
	return func(yield func(int) bool) {
		rank := sort.Search(t.n, func(rank int) bool { return t.key(t.ranked(rank)) >= k })
		for ; rank < t.n; rank++ {
			if i := t.ranked(rank); t.key(i) != k || !yield(i) {
				return
			}
		}
	}
}

// ranked returns the entry with this rank, counted from 0. Entries are ranked by key and, for equal keys, in stored
// order.
func (t *Tree) ranked(rank int) int {
	if t.byKey == nil {
		return rank
	}
	return t.byKey[rank]
}
