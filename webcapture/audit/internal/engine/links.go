package engine

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
)

// A LinkTable knows for every object which entries of the trees lead to it.
// Each entry is a row of at most one chain for its own value; the elements of
// array values get rows after those. Rows are found by object number, so the
// table has no maps and no pointers, and a million entries cost 16 MB.
type LinkTable struct {
	first []int32 // by object number: a row, or -1
	rows  []linkRow
	gens  map[int32]uint16 // of references, by row, that are not 0
}

type linkRow struct {
	next  int32 // row of the same object, or -1
	entry int32 // index in its tree, shifted left, and the name of that
}

// newLinkTable links all entries whose values are references.
func newLinkTable(trees []*webcapture.Tree) *LinkTable {
	var t LinkTable
	n := 0
	for _, tree := range trees {
		n += tree.Len()
	}
	t.rows = make([]linkRow, 0, n)
	for _, tree := range trees {
		for i := range tree.Len() {
			if ref, ok := tree.Value(i).Ref(); ok {
				t.Add(ref, tree, i)
			}
		}
	}
	return &t
}

// Add links the entry with index i of tree to ref.
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

// objects returns the number of objects that entries lead to.
func (t *LinkTable) objects() int {
	n := 0
	for _, row := range t.first {
		if row >= 0 {
			n++
		}
	}
	return n
}

// Of appends to urls and ids the indexes of the entries that lead to ref, in
// stored order, each once.
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
