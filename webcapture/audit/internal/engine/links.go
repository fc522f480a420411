package engine

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// LinkTable finds the entries that lead to an object: as their value, or as an element of their array value. Rows for
// values come first, one per entry, then rows for elements. Rows are indexed by object number, so the table needs no
// pointers, and a map only for generation numbers other than 0. A million entries take 16 MB.
type LinkTable struct {
	first []int32 // first row by object number, or -1
	rows  []linkRow
	gens  map[int32]uint16 // generation numbers of references by row, except 0
}

type linkRow struct {
	next  int32 // next row of the same object, or -1
	entry int32 // index in its tree, shifted left by one, plus the number of the tree
}

// newLinkTable returns a table with all entries whose values are references.
func newLinkTable(trees []*webcapture.Tree) *LinkTable {
	var t LinkTable
	n := 0
	for _, tree := range trees {
		n += tree.Len()
	}
	t.rows = make([]linkRow, 0, n)
	for _, tree := range trees {
		for i := range tree.Len() {
			if ref, ok := tree.Entry(i).Value.Ref(); ok {
				t.Add(ref, tree, i)
			}
		}
	}
	return &t
}

// Add records that the entry at index i of tree refers to ref.
func (t *LinkTable) Add(ref object.Ref, tree *webcapture.Tree, i int) {
	if ref.Num > object.MaxNumber {
		return
	}
	if grow := int(ref.Num) + 1 - len(t.first); grow > 0 {
		old := len(t.first)
		t.first = slices.Grow(t.first, grow)[:old+grow]
		for k := old; k < len(t.first); k++ {
			t.first[k] = -1
		}
	}
	row := linkRow{next: t.first[ref.Num], entry: int32(i)<<1 | int32(tree.Name)}
	if ref.Gen != 0 {
		if t.gens == nil {
			t.gens = map[int32]uint16{}
		}
		t.gens[int32(len(t.rows))] = ref.Gen
	}
	t.first[ref.Num] = int32(len(t.rows))
	t.rows = append(t.rows, row)
}

// objects returns the number of objects to which entries refer.
func (t *LinkTable) objects() int {
	n := 0
	for _, row := range t.first {
		if row >= 0 {
			n++
		}
	}
	return n
}

// Of finds the entries that refer to ref, and appends their indexes to urls or ids, in stored order, each once.
func (t *LinkTable) Of(ref object.Ref, urls, ids []int) ([]int, []int) {
	if int(ref.Num) >= len(t.first) {
		return urls, ids
	}
	for r := t.first[ref.Num]; r >= 0; r = t.rows[r].next {
		if t.gens[r] != ref.Gen {
			continue
		}
		if e := t.rows[r].entry; webcapture.TreeName(e&1) == webcapture.URLS {
			urls = append(urls, int(e>>1))
		} else {
			ids = append(ids, int(e>>1))
		}
	}
	slices.Sort(urls)
	slices.Sort(ids)
	return slices.Compact(urls), slices.Compact(ids)
}
