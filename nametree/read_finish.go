package nametree

import (
	"cmp"
	"slices"
	"strings"
)

// finish does the work that needs all nodes. If a cap was reached, kids are still on the list. They are kids of the
// current node and its ancestors, which are partial already or become so in passUp.
func (r *reader) finish() {
	r.t.passUp()
	r.t.linkKids()
	r.checkLimits()
	r.duplicates()
	r.t.sortDefects()
}

// passUp gives each node the bounds of its descendants, and counts its kids. A node comes before its descendants:
// going backwards, its bounds are complete when they are added to those of its parent.
func (t *Tree) passUp() {
	for i := len(t.nodes) - 1; i > 0; i-- {
		n := &t.nodes[i]
		parent := &t.nodes[n.parent]
		if n.least >= 0 {
			t.widen(parent, n.least, n.greatest)
		}
		parent.partial = parent.partial || n.partial
		parent.kidsLen++
	}
}

// checkLimits compares the Limits of nodes with their keys.
func (r *reader) checkLimits() {
	t := r.t
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		if n.hasLimits && n.least >= 0 && !n.partial && t.limits(n) != t.bounds(n) {
			r.report(at(LimitsWrong, int32(i), -1))
		}
	}
}

// duplicates reports the entries with the key of an earlier entry. Ascending keys have none, and in keys that never
// descend, duplicates are neighbours.
func (r *reader) duplicates() {
	t := r.t
	if t.Ascending() {
		return
	}
	if t.disorder {
		t.byKey = t.sorted()
	}
	for rank, first := 1, 0; rank < t.n; rank++ {
		i := t.ranked(rank)
		if t.key(i) != t.key(t.ranked(first)) {
			first = rank
			continue
		}
		e := t.at(i)
		d := at(DuplicateKey, int32(e.node), int32(e.pair&pairMask))
		d.Entry, d.Other = i, t.ranked(first)
		r.report(d)
	}
}

// sortDefects sorts the defects into document order; most are sorted already.
func (t *Tree) sortDefects() {
	inOrder := func(a, b defect) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.index, b.index))
	}
	if !slices.IsSortedFunc(t.defects, inOrder) {
		slices.SortStableFunc(t.defects, inOrder)
	}
}

// sorted returns the entries by key and, for equal keys, in stored order.
func (t *Tree) sorted() []int32 {
	byKey := make([]int32, t.n)
	for i := range byKey {
		byKey[i] = int32(i)
	}
	slices.SortFunc(byKey, func(a, b int32) int {
		if c := strings.Compare(string(t.key(int(a))), string(t.key(int(b)))); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	return byKey
}
