package rule

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
type MemberRow struct {
	Member, Set   object.Ref
	ID            digest.ID
	Index, Count  int32
	Subtype       webcapture.Subtype
	HasID, Listed bool // listed: O is an array
}

// A MemberTable finds the places of an object in sets. Rows stand in the order
// of collection: those of a set together, in the order of O. It is a hash table
// of chains, without pointers.
type MemberTable struct {
	Rows  []MemberRow
	first []int32 // by hash of the member: a row, or -1
	next  []int32 // by row
	seed  maphash.Seed

	once   sync.Once
	listed map[digest.ID]bool // see known
}

func NewMemberTable(rows []MemberRow) *MemberTable {
	t := &MemberTable{Rows: rows, seed: maphash.MakeSeed()}
	t.first = slices.Repeat([]int32{-1}, len(rows)+1)
	t.next = make([]int32, len(rows))
	for i, m := range rows {
		if m.Member.Num == 0 {
			continue
		}
		h := t.hash(m.Member)
		t.next[i], t.first[h] = t.first[h], int32(i)
	}
	return t
}

func (t *MemberTable) hash(ref object.Ref) int {
	return int(maphash.Comparable(t.seed, ref) % uint64(len(t.first)))
}

// Has reports whether an object stands in O of some set.
func (t *MemberTable) Has(ref object.Ref) bool {
	for i := t.first[t.hash(ref)]; i >= 0; i = t.next[i] {
		if t.Rows[i].Member == ref {
			return true
		}
	}
	return false
}

// Of returns the places of an object in sets, by set.
func (t *MemberTable) Of(ref object.Ref) []Membership {
	var in []Membership
	for i := t.first[t.hash(ref)]; i >= 0; i = t.next[i] {
		if m := &t.Rows[i]; m.Member == ref {
			in = append(in, Membership{m.Set, int(m.Index), m.Subtype, m.ID, m.HasID, int(m.Count)})
		}
	}
	slices.SortFunc(in, func(a, b Membership) int { return cmp.Or(a.Set.Compare(b.Set), cmp.Compare(a.Index, b.Index)) })
	return in
}

// Sets yields the rows of each page set or image set that has members, in the
// order of O.
func (t *MemberTable) Sets() iter.Seq[[]MemberRow] {
	return func(yield func([]MemberRow) bool) {
		for from := 0; from < len(t.Rows); {
			to := from + 1
			for to < len(t.Rows) && t.Rows[to].Set == t.Rows[from].Set && t.Rows[to].Index > t.Rows[to-1].Index {
				to++
			}
			if !yield(t.Rows[from:to]) {
				return
			}
			from = to
		}
	}
}

// Known reports whether there is a set with an ID, and whether all of them
// have an array for O, so that it is known what they list.
func (t *MemberTable) Known(id digest.ID) (exists, listed bool) {
	t.once.Do(func() {
		t.listed = make(map[digest.ID]bool)
		for _, m := range t.Rows {
			if before, ok := t.listed[m.ID]; m.HasID {
				t.listed[m.ID] = m.Listed && (before || !ok)
			}
		}
	})
	listed, exists = t.listed[id]
	return exists, listed
}
