package object_test

import (
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Adding to a copy does not change the original set.
func TestRefSetCloneIsApart(t *testing.T) {
	var s object.RefSet
	for _, r := range []object.Ref{{Num: 1}, {Num: 2, Gen: 3}} {
		t.Run(fmt.Sprint(r.Num), func(t *testing.T) {
			s.Add(r)
			clone := s.Clone()
			other := object.Ref{Num: r.Num + 7, Gen: r.Gen}
			if clone.Add(other); !clone.Has(r) || s.Has(other) {
				t.Errorf("the copy has %v: %t; the set has %v: %t", r, clone.Has(r), other, s.Has(other))
			}
		})
	}
}

// References that differ in number or generation are different, on both sides of each boundary of the
// representation.
func TestRefSetTellsReferencesApart(t *testing.T) {
	refs := []object.Ref{
		{}, {Num: 1}, {Num: 63}, {Num: 64}, {Num: 65}, {Num: 1000}, {Num: object.MaxNumber},
		{Num: object.MaxNumber + 1}, {Num: 1<<32 - 1},
		{Gen: 1}, {Num: 1, Gen: 1}, {Num: 64, Gen: 65535}, {Num: object.MaxNumber + 1, Gen: 2},
	}
	for skip := range refs {
		var s object.RefSet
		for i, r := range refs {
			if i == skip {
				continue
			}
			if s.Has(r) || !s.Add(r) || !s.Has(r) || s.Add(r) {
				t.Fatalf("%v is not added once", r)
			}
		}
		if s.Has(refs[skip]) {
			t.Errorf("%v is in a set of all others", refs[skip])
		}
	}
}

// Numbers may be added in any order.
func TestRefSetTakesSmallNumbersAfterLargeOnes(t *testing.T) {
	var s object.RefSet
	for _, num := range []uint32{1000, 500, 499, 63, 1, 0} {
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			if r := (object.Ref{Num: num}); !s.Add(r) || !s.Has(r) || !s.Has(object.Ref{Num: 1000}) {
				t.Errorf("%v is not added", r)
			}
		})
	}
}

// References of any number and generation have numbers of their own.
func TestRefTableTellsReferencesApart(t *testing.T) {
	var table object.RefTable
	refs := []object.Ref{
		{Num: 5}, {Num: 2}, {Num: 5, Gen: 1}, {Num: object.MaxNumber}, {Num: object.MaxNumber + 1},
		{Num: object.MaxNumber + 2},
	}
	unset := []object.Ref{{}, {Num: 1}, {Num: 6}, {Num: 2, Gen: 1}, {Num: object.MaxNumber + 3}}
	for i, r := range refs {
		table.Set(r, int32(i+1))
		for k, r := range refs[:i+1] {
			if got := table.Get(r); got != int32(k+1) {
				t.Errorf("%v has %d, want %d", r, got, k+1)
			}
		}
		for _, r := range unset {
			if got := table.Get(r); got != 0 {
				t.Errorf("%v has %d", r, got)
			}
		}
	}
}
