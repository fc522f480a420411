package nametree

import (
	"cmp"
	"slices"
	"strings"
)

// finish does what can only be done when all nodes are there. Kids that are still on
// the list, because a cap was hit, are those of the node where that was and of the
// nodes above it, which are partial already or become so in passUp.
func (r *reader) finish() {
	r.t.passUp()
	r.t.linkKids()
	r.checkLimits()
	r.duplicates()
	r.t.sortDefects()
}

// passUp gives each node the bounds of those below, and counts its kids. A node
// comes before those below it: going backwards, its bounds are complete when they
// go into those of its parent.
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

// checkLimits compares what nodes say about their keys with what is there.
func (r *reader) checkLimits() {
	t := r.t
	for i := 1; i < len(t.nodes); i++ {
		n := &t.nodes[i]
		if n.hasLimits && n.least >= 0 && !n.partial && t.limits(n) != t.bounds(n) {
			r.report(at(LimitsWrong, int32(i), -1))
		}
	}
}

// duplicates reports the entries whose key was there before. Where keys ascend
// there are none, and where they at least do not descend, they are neighbours.
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

// sortDefects brings the defects into document order, in which most of them are.
func (t *Tree) sortDefects() {
	inOrder := func(a, b defect) int {
		return cmp.Or(cmp.Compare(a.node, b.node), cmp.Compare(a.index, b.index))
	}
	if !slices.IsSortedFunc(t.defects, inOrder) {
		slices.SortStableFunc(t.defects, inOrder)
	}
}

// sorted returns the entries by key, and those with the same key in stored order.
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
