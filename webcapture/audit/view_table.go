package audit

import (
	"cmp"
	"hash/maphash"
	"iter"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// A membership is a row of a memberTable: a Membership with its member. A
// million of them are 44 MB. A set without members has a row without one.
type membership struct {
	member, set   object.Ref
	id            digest.ID
	index, count  int32
	subtype       webcapture.Subtype
	hasID, listed bool // listed: O is an array
}

// A memberTable finds the places of an object in sets. Rows stand in the order
// of collection: those of a set together, in the order of O. It is a hash table
// of chains, without pointers.
type memberTable struct {
	rows  []membership
	first []int32 // by hash of the member: a row, or -1
	next  []int32 // by row
	seed  maphash.Seed

	once   sync.Once
	listed map[digest.ID]bool // see known
}

func newMemberTable(rows []membership) *memberTable {
	t := &memberTable{rows: rows, seed: maphash.MakeSeed()}
	t.first = slices.Repeat([]int32{-1}, len(rows)+1)
	t.next = make([]int32, len(rows))
	for i, m := range rows {
		if m.member.Num == 0 {
			continue
		}
		h := t.hash(m.member)
		t.next[i], t.first[h] = t.first[h], int32(i)
	}
	return t
}

func (t *memberTable) hash(ref object.Ref) int {
	return int(maphash.Comparable(t.seed, ref) % uint64(len(t.first)))
}

// has reports whether an object stands in O of some set.
func (t *memberTable) has(ref object.Ref) bool {
	for i := t.first[t.hash(ref)]; i >= 0; i = t.next[i] {
		if t.rows[i].member == ref {
			return true
		}
	}
	return false
}

// of returns the places of an object in sets, by set.
func (t *memberTable) of(ref object.Ref) []Membership {
	var in []Membership
	for i := t.first[t.hash(ref)]; i >= 0; i = t.next[i] {
		if m := &t.rows[i]; m.member == ref {
			in = append(in, Membership{m.set, int(m.index), m.subtype, m.id, m.hasID, int(m.count)})
		}
	}
	slices.SortFunc(in, func(a, b Membership) int { return cmp.Or(a.Set.Compare(b.Set), cmp.Compare(a.Index, b.Index)) })
	return in
}

// sets yields the rows of each page set or image set that has members, in the
// order of O.
func (t *memberTable) sets() iter.Seq[[]membership] {
	return func(yield func([]membership) bool) {
		for from := 0; from < len(t.rows); {
			to := from + 1
			for to < len(t.rows) && t.rows[to].set == t.rows[from].set && t.rows[to].index > t.rows[to-1].index {
				to++
			}
			if !yield(t.rows[from:to]) {
				return
			}
			from = to
		}
	}
}

// known reports whether there is a set with an ID, and whether all of them
// have an array for O, so that it is known what they list.
func (t *memberTable) known(id digest.ID) (exists, listed bool) {
	t.once.Do(func() {
		t.listed = make(map[digest.ID]bool)
		for _, m := range t.rows {
			if before, ok := t.listed[m.id]; m.hasID {
				t.listed[m.id] = m.listed && (before || !ok)
			}
		}
	})
	listed, exists = t.listed[id]
	return exists, listed
}
