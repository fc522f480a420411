package nametree

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
)

// TestFindGoesTheWayOfAViewer has trees in which a viewer misses entries.
func TestFindGoesTheWayOfAViewer(t *testing.T) {
	tests := []struct {
		name, text string
		missed     []int
	}{
		{"clean", cleanTree, nil},
		{"limits too narrow", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 (b) 1 (c) 1 ] >> endobj
			2 0 obj << /Limits [ (d) (e) ] /Names [ (d) 1 (e) 1 ] >> endobj`, []int{2}},
		{"limits too wide are no hindrance", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ () (bzz) ] /Names [ (a) 1 (b) 1 ] >> endobj
			2 0 obj << /Limits [ (c) (z) ] /Names [ (d) 1 (e) 1 ] >> endobj`, nil},
		{"limits that overlap", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (z) ] /Names [ (a) 1 (b) 1 ] >> endobj
			2 0 obj << /Limits [ (d) (e) ] /Names [ (d) 1 (e) 1 ] >> endobj`, []int{2, 3}},
		{"limits missing where the search begins", `root: << /Kids [ 1 0 R 2 0 R 3 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
			2 0 obj << /Names [ (b) 1 ] >> endobj
			3 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] >> endobj`, []int{0, 1, 2}},
		{"limits missing where the search may end", `root: << /Kids [ 1 0 R 2 0 R 3 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj
			3 0 obj << /Names [ (c) 1 ] >> endobj`, []int{2}},
		{"order inside a leaf", `root: << /Names [ (b) 1 (c) 1 (a) 1 ] >>`, []int{2}},
		{"duplicates", `root: << /Names [ (a) 1 (b) 1 (b) 2 ] >>`, []int{2}},
		{"names and kids", `root: << /Names [ (0) 1 ] /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj`, []int{0}},
		{"empty leaf in the way", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (z) ] /Names [ ] >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj`, []int{0}},
		{"kids that are not nodes", `root: << /Kids [ null 1 0 R 9 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj`, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree := mustRead(t, test.text)
			if got := slices.Collect(tree.Missed()); !slices.Equal(got, test.missed) {
				t.Errorf("missed are %v, want %v", got, test.missed)
			}
		})
	}
}

func TestFindOfAbsentKeys(t *testing.T) {
	for _, text := range []string{cleanTree, `root: null`, `root: << >>`, `root: << /Kids [] >>`,
		`root: << /Names [] >>`} {
		t.Run(text, func(t *testing.T) {
			tree := mustRead(t, text)
			for _, k := range []Key{"", "0", "aa", "bb", "z", "\xff"} {
				if i, ok := tree.Find(k); i != -1 || ok {
					t.Errorf("Find(%v) = %d, %v", k, i, ok)
				}
				if got := slices.Collect(tree.All(k)); got != nil {
					t.Errorf("All(%v) = %v", k, got)
				}
			}
		})
	}
}

func TestAllFindsEntriesWhereverTheyAre(t *testing.T) {
	for _, names := range []string{"(a) 1 (b) 1 (b) 1 (c) 1", "(b) 1 (a) 1 (c) 1 (b) 1"} {
		t.Run(names, func(t *testing.T) {
			tree := mustRead(t, `root: << /Names [ `+names+` ] >>`)
			var want []int
			for i, e := range tree.Entries() {
				if e.Key == "b" {
					want = append(want, i)
				}
			}
			if got := slices.Collect(tree.All("b")); !slices.Equal(got, want) {
				t.Errorf("%s: All((b)) = %v, want %v", names, got, want)
			}
		})
	}
}

// Content sets with the same key are listed, and merged, in stored order.
func TestAllKeepsTheOrderOfManyDuplicates(t *testing.T) {
	const n = 50
	tree := mustRead(t, `root: << /Names [ `+strings.Repeat("(b) 1 (a) 1 ", n)+` ] >>`)
	for _, k := range []Key{"a", "b"} {
		t.Run(string(k), func(t *testing.T) {
			if got := slices.Collect(tree.All(k)); len(got) != n || !slices.IsSorted(got) {
				t.Errorf("All(%v) = %v", k, got)
			}
		})
	}
}

func TestIterationsEndEarly(t *testing.T) {
	tree := mustRead(t, `root: << /Names [ (b) 1 (b) 2 (b) 3 (a) 1 (a) 2 ] >>`)
	if missed := slices.Collect(tree.Missed()); len(missed) < 2 {
		t.Fatalf("missed are %v", missed)
	}
	for range tree.Entries() {
		break
	}
	for range tree.All("b") {
		break
	}
	for range tree.Missed() {
		break
	}
}

func TestTreeServesManyGoroutines(t *testing.T) {
	tree := mustRead(t, `root: << /Names [ (b) 1 (a) 1 (c) 1 (b) 1 ] >>`)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				tree.Find("b")
				for range tree.All("b") {
				}
				for range tree.Missed() {
				}
			}
		})
	}
	wg.Wait()
}

func BenchmarkFind(b *testing.B) {
	for _, s := range spellings {
		for _, size := range sizes {
			b.Run(s.name+"/"+size.name, func(b *testing.B) {
				src, root := bigTree(size.n, s.key)
				t, err := Read(src, root, nil)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportAllocs()
				i := 0
				for b.Loop() {
					if _, ok := t.Find(t.Entry(i).Key); !ok {
						b.Fatal(i)
					}
					i = (i + 7919) % size.n
				}
			})
		}
	}
}

// TestLookupGoesTheWayOfFind compares Lookup with Find for each key, and for absent keys.
func TestLookupGoesTheWayOfFind(t *testing.T) {
	var long strings.Builder
	for i := range 500 {
		fmt.Fprintf(&long, "(%03d) %d ", i, i)
	}
	for _, text := range []string{cleanTree, `root: null`, `root: << /Kids [] >>`,
		`root: << /Names [ ` + long.String() + ` ] >>`,
		`root: << /Names [ (b) 1 (c) 1 (a) 1 ] >>`,
		`root: << /Kids [ 1 0 R 2 0 R 3 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
			2 0 obj << /Names [ (b) 2 ] >> endobj
			3 0 obj << /Limits [ (c) (c) ] /Names [ (c) 3 ] >> endobj`,
		`root: << /Names [ (0) 1 ] /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits 3 0 R /Names 4 0 R >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 2 ] >> endobj
			3 0 obj [ (a) 5 0 R ] endobj
			4 0 obj [ 5 0 R 6 0 R ] endobj
			5 0 obj (a) endobj`,
		`root: 1 0 R
			1 0 obj << /Kids [ 1 0 R ] /Limits [ (a) (z) ] >> endobj`} {
		t.Run(text[:min(len(text), 40)], func(t *testing.T) {
			src, root, _ := parsed(text)
			tree := mustRead(t, text)
			keys := []Key{"", "0", "aa", "m", "\xff"}
			for _, e := range tree.Entries() {
				keys = append(keys, e.Key)
			}
			for _, k := range keys {
				value, ok, err := Lookup(src, root, k)
				i, want := tree.Find(k)
				if err != nil || ok != want || ok && value.String() != tree.Entry(i).Value.String() {
					t.Errorf("Lookup(%v) = %v, %v, %v; Find has %d, %v", k, value, ok, err, i, want)
				}
			}
		})
	}
}
