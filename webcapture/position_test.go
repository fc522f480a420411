package webcapture_test

import (
	"context"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// Objects come in the order in which they were written, also within object streams, for any order of the input.
func TestSortByPosition(t *testing.T) {
	d := webcapturetest.Sets(20, webcapturetest.Options{})
	var want []object.Ref
	for num := uint32(1); d.Body(int(num)) != ""; num++ {
		want = append(want, object.Ref{Num: num})
	}
	d.Update()
	d.Set(3, d.Body(3)) // is then the last
	want = append(slices.Delete(want, 2, 3), object.Ref{Num: 3})
	for name, l := range layouts {
		f, err := webcapture.New(context.Background(), d.Bytes(l), webcapture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Clone(want)
		slices.Reverse(got)
		if f.SortByPosition(got); !slices.Equal(got, want) {
			t.Errorf("%s: the order is %v", name, got)
		}
		order := f.OrderByPosition(len(want), func(i int) object.Ref { return want[len(want)-1-i] })
		for i, k := range order {
			if k != len(want)-1-i {
				t.Fatalf("%s: the order of indexes is %v", name, order)
			}
		}
	}
}

// Callers remove duplicates by comparing neighbors.
func TestSortByPositionBringsEqualReferencesTogether(t *testing.T) {
	f := open(t, "", webcapturetest.Layout{})
	missing := []object.Ref{{Num: 900, Gen: 2}, {Num: 800}, {Num: 900}, {Num: 900, Gen: 2}, {Num: 800}, {}, {Num: 900}}
	f.SortByPosition(missing)
	if got := slices.Compact(missing); len(got) != 4 {
		t.Errorf("%v are not side by side", missing)
	}
	const n = 100 // enough for a sort that is not stable
	for name, refs := range map[string][2]object.Ref{
		"one object":                {{Num: 700}, {Num: 700}},
		"two objects without place": {{Num: 700}, {Num: 800}},
	} {
		t.Run(name, func(t *testing.T) {
			order := f.OrderByPosition(n, func(i int) object.Ref { return refs[i%2] })
			key := func(i int) int {
				if refs[0] == refs[1] {
					return i
				}
				return i%2*n + i
			}
			if !slices.IsSortedFunc(order, func(a, b int) int { return key(a) - key(b) }) || len(order) != n {
				t.Errorf("what has one position comes in the order %v", order)
			}
		})
	}
}
