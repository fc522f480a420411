package nametree

import (
	"errors"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/nametree/object/objecttest"
)

// parsed returns the objects in a text, and the root of a tree: the object labeled root, or object 1.
func parsed(text string) (src *objecttest.Store, root object.Object, ok bool) {
	src, err := objecttest.Parse(text)
	if err != nil {
		return nil, root, false
	}
	if root = src.Object("root"); root.IsNull() {
		root = object.MakeRef(object.Ref{Num: 1})
	}
	return src, root, true
}

// FuzzRead reads trees from any text. Reading never panics and keeps its caps and the invariants of a tree, and
// Find finds all entries of a tree without defects.
func FuzzRead(f *testing.F) {
	for _, text := range []string{
		cleanTree,
		`1 0 obj << /Names [ (b) 1 <61> 2 0 R null [ 1 ] 5 0 R << >> (z) ] >> endobj 5 0 obj (key) endobj`,
		`1 0 obj << /Kids [ 1 0 R 2 0 R << /Names [ ] >> 2 0 R null ] /Names 3 0 R >> endobj
			2 0 obj << /Limits 4 0 R /Names 3 0 R /Type /X >> endobj 3 0 obj [ (b) 1 (a) 1 (a) 1 ] endobj 4 0 obj [ (a) (b) ] endobj`,
		`1 0 obj 2 0 R endobj 2 0 obj << /Kids 3 0 R >> endobj 3 0 obj [ 2 0 R 3 0 R 4 0 R ] endobj 4 0 obj << /Names [ ( endobj`,
		`1 0 obj << /Kids [ << /Kids [ << /Kids [ << /Kids [ << >> ] >> ] >> ] >> ] /Limits [ 1 2 ] /Limits null >> endobj`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		src, root, ok := parsed(text)
		if !ok {
			return
		}
		const most = 1 << 20
		left, over := int64(most), errors.New("over")
		tree, err := Read(src, root, func(n int64) error {
			if left -= n; left < 0 {
				return over
			}
			return nil
		})
		if err == over {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		check(t, tree)
		if size := tree.NodeCount()*nodeSize + tree.Len()*entrySize + len(tree.defects)*defectSize; size > most+nodeSize ||
			src.Gets() > 16*(1+most/entrySize) {
			t.Errorf("%d nodes, %d entries, %d defects, %d objects read", tree.NodeCount(), tree.Len(),
				len(tree.defects), src.Gets())
		}
		for d := range tree.Defects() {
			if d.Node >= tree.NodeCount() || d.Entry >= tree.Len() {
				t.Errorf("%s is nowhere", line(d))
			}
		}
		for i, e := range tree.Entries() {
			value, ok, err := Lookup(src, root, e.Key)
			if err != nil || ok && !slices.ContainsFunc(slices.Collect(tree.All(e.Key)), func(i int) bool {
				return object.Same(tree.Entry(i).Value, value)
			}) || !ok && len(tree.defects) == 0 {
				t.Errorf("Lookup(%v) = %v, %v, %v; entry %d has it", e.Key, value, ok, err, i)
			}
		}
		if len(tree.defects) > 0 {
			return
		}
		if !tree.Ascending() {
			t.Errorf("no defects, but keys are %s", keys(tree))
		}
		for i, e := range tree.Entries() {
			if j, ok := tree.Find(e.Key); j != i || !ok || !slices.Equal(slices.Collect(tree.All(e.Key)), []int{i}) {
				t.Errorf("no defects, but Find(%v) = %d, want %d", e.Key, j, i)
			}
		}
	})
}
