package nametree

import (
	"cmp"
	"slices"
	"strings"
)

// finish does the work that needs all nodes. If a limit was reached, some kids are still in r.todo. Their parents are
// the current node and its ancestors. These nodes are marked partial already, or will be marked by passUp.
func (r *reader) finish() {
	r.t.passUp()
	r.checkLimits()
	r.duplicates()
	r.t.sortDefects()
}

// passUp extends the bounds of each node by those of its descendants. It visits the nodes backwards. Each node comes
// before its descendants, so its bounds are complete when passUp visits it.
func (t *Tree) passUp() {
	for i := len(t.nodes) - 1; i >= 0; i-- {
		n := &t.nodes[i]
		if n.least >= 0 && !n.partial {
			n.Bounds, n.HasBounds = t.bounds(n), true
		}
		if i == 0 {
			break
		}
		parent := &t.nodes[n.Parent]
		if n.least >= 0 {
			t.widen(parent, n.least, n.greatest)
		}
		parent.partial = parent.partial || n.partial
	}
}

// checkLimits compares the Limits of nodes with their keys.
func (r *reader) checkLimits() {
	t := r.t
	for i := 1; i < len(t.nodes); i++ {
		if n := &t.nodes[i]; n.HasLimits && n.HasBounds && n.Limits != n.Bounds {
			r.report(at(LimitsWrong, i, -1))
		}
	}
}

// duplicates reports the entries whose key is the same as that of an earlier entry. If keys ascend, there are no
// duplicates. If keys never descend, duplicates are neighbours.
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
		d := at(DuplicateKey, int(e.node), int(e.pair))
		d.Entry, d.Other = i, t.ranked(first)
		r.report(d)
	}
}

// sortDefects sorts the defects into document order; most are sorted already.
func (t *Tree) sortDefects() {
	inOrder := func(a, b Defect) int {
		return cmp.Or(cmp.Compare(a.Node, b.Node), cmp.Compare(a.Index, b.Index))
	}
	if !slices.IsSortedFunc(t.defects, inOrder) {
		slices.SortStableFunc(t.defects, inOrder)
	}
}

// sorted returns the entries by key and, for equal keys, in stored order.
func (t *Tree) sorted() []int {
	byKey := make([]int, t.n)
	for i := range byKey {
		byKey[i] = i
	}
	slices.SortFunc(byKey, func(a, b int) int {
		if c := strings.Compare(string(t.key(a)), string(t.key(b))); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	return byKey
}
