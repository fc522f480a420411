package rule

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// randomRows returns the rows of n content sets. Every third set is a direct object, and every fifth one lists nothing.
func randomRows(r *rand.Rand, n int) (rows []MemberRow) {
	for i := range n {
		row := MemberRow{ID: digest.ID{byte(r.IntN(4))}, HasID: r.IntN(3) > 0, Subtype: webcapture.PageSet, Count: -1,
			Listed: r.IntN(4) > 0}
		if i%3 > 0 {
			row.Set = object.Ref{Num: uint32(1000 - i)}
		}
		if i%5 == 0 {
			rows = append(rows, row)
			continue
		}
		for index := range 1 + r.IntN(3) {
			row.Member, row.Index = object.Ref{Num: uint32(1 + r.IntN(n))}, int32(index)
			rows = append(rows, row)
		}
	}
	return rows
}

// TestMemberTables: a table gives the same answers as a search through all rows.
func TestMemberTables(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 30 {
		rows := randomRows(r, n)
		table := NewMemberTable(rows)
		for num := range uint32(n + 3) {
			ref := object.Ref{Num: num}
			var in []Membership
			for _, m := range rows {
				if m.Member == ref && num > 0 {
					in = append(in, Membership{m.Set, int(m.Index), m.Subtype, m.ID, m.HasID, int(m.Count)})
				}
			}
			byPlace := func(a, b Membership) int {
				return cmp.Or(cmp.Compare(a.Set.Num, b.Set.Num), cmp.Compare(a.Index, b.Index), cmp.Compare(a.ID[0], b.ID[0]))
			}
			got := table.Of(ref)
			if !slices.IsSortedFunc(got, func(a, b Membership) int {
				return cmp.Or(cmp.Compare(a.Set.Num, b.Set.Num), cmp.Compare(a.Index, b.Index))
			}) {
				t.Errorf("%d sets: the places of %v are not sorted: %v", n, ref, got)
			}
			slices.SortFunc(got, byPlace)
			slices.SortFunc(in, byPlace)
			if len(got)+len(in) > 0 && !sameSets(got, in) || table.Has(ref) != (len(in) > 0) {
				t.Errorf("%d sets: %v is in %v, %v, want %v", n, ref, got, table.Has(ref), in)
			}
		}
		for id := range byte(5) {
			exists, listed := false, true
			for _, m := range rows {
				if m.HasID && m.ID[0] == id {
					exists, listed = true, listed && m.Listed
				}
			}
			if e, l := table.Known(digest.ID{id}); e != exists || l != (exists && listed) {
				t.Errorf("%d sets: ID %d exists: %v, listed: %v, want %v, %v", n, id, e, l, exists, exists && listed)
			}
		}
	}
}

// sameSets compares places in any order of HasID, by which they are not sorted.
func sameSets(a, b []Membership) bool {
	count := map[Membership]int{}
	for _, m := range a {
		count[m]++
	}
	for _, m := range b {
		count[m]--
	}
	for _, n := range count {
		if n != 0 {
			return false
		}
	}
	return true
}
