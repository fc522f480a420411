package rule

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// MemberRow is a row of a MemberTable: a Membership with its member. A million rows take 44 MB. A content set without
// references in O has one row without a member.
type MemberRow struct {
	Member, Set   object.Ref
	ID            digest.ID
	Index, Count  int32
	Subtype       webcapture.Subtype
	HasID, Listed bool // Listed: O is an array
}

// MemberTable finds the places of an object in content sets. The table is a hash table with chaining, without pointers.
type MemberTable struct {
	Rows  []MemberRow
	first []int32 // index of a row by hash of the member, or -1
	next  []int32 // next row of the chain, by row
	seed  maphash.Seed

	once   sync.Once
	listed map[digest.ID]bool // see Known
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

// Has reports whether O of any content set contains an object.
func (t *MemberTable) Has(ref object.Ref) bool {
	for i := t.first[t.hash(ref)]; i >= 0; i = t.next[i] {
		if t.Rows[i].Member == ref {
			return true
		}
	}
	return false
}

// Of returns the places of an object, sorted by content set.
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

// Known reports whether any content set has the ID id. listed means that O of all content sets with this ID is an
// array, so their members are known.
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
