package nametree

import (
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// A naive reads a tree by its definition (ISO 32000-1:2008, 7.9.6), node by node, and fails at any deviation.
type naive struct {
	src   object.Source
	pairs []string // key, a blank, value
	seen  map[object.Ref]bool
	odd   bool // something that is not in the definition
}

func (n *naive) resolve(o object.Object) object.Object {
	o, err := object.Resolve(n.src, o)
	n.odd = n.odd || err != nil
	return o
}

// node reads a node at this depth.
func (n *naive) node(o object.Object, depth int) {
	o, ref, err := object.Follow(n.src, o)
	d, ok := o.Dict()
	n.odd = n.odd || err != nil || o.Kind() != object.Dictionary || ref.Num != 0 && n.seen[ref]
	n.seen[ref] = true
	kids, hasKids := n.resolve(d.Lookup("Kids")).Array()
	names, hasNames := n.resolve(d.Lookup("Names")).Array()
	if n.odd = n.odd || !ok || hasKids == hasNames || depth == 20 || len(n.pairs) > 1000; n.odd {
		return
	}
	for kid := range kids.All() {
		n.node(kid, depth+1)
	}
	var key []byte
	for o := range names.All() {
		if key == nil {
			key, ok = n.resolve(o).AppendString([]byte{})
			n.odd = n.odd || !ok
			continue
		}
		n.pairs = append(n.pairs, string(key)+" "+string(o.Append(nil)))
		n.odd = n.odd || o.IsNull()
		key = nil
	}
	n.odd = n.odd || key != nil
}

// FuzzNaive compares Read with a reader without arenas, caps, and handling of damage: both find the same pairs, in
// the same order, regardless of Limits.
func FuzzNaive(f *testing.F) {
	f.Add(cleanTree)
	f.Add(`root: << /Kids [ 1 0 R << /Names [ (z) 1 0 R (y) (v) ] >> ] >> 1 0 obj << /Names 2 0 R /Limits [ (q) (a) ] >> endobj 2 0 obj [ 3 0 R 7 <> [ 1 ] ] endobj 3 0 obj <6100> endobj`)
	f.Add(`1 0 obj << /Kids [ << /Kids [ 2 0 R ] >> << /Names [ (a) << /A 1 >> (a) 2 ] >> ] >> endobj 2 0 obj << /Names [ ] >> endobj`)
	f.Fuzz(func(t *testing.T, text string) {
		src, root, ok := parsed(text)
		if !ok {
			return
		}
		want := naive{src: src, seen: map[object.Ref]bool{}}
		if want.node(root, 0); want.odd {
			return
		}
		tree, err := Read(src, root, nil)
		if err != nil {
			t.Fatal(err)
		}
		if tree.Len() != len(want.pairs) {
			t.Fatalf("%d pairs, want %d; defects %v", tree.Len(), len(want.pairs), tree.Defects())
		}
		for i, e := range tree.Entries() {
			if got := string(e.Key) + " " + string(e.Value.Append(nil)); got != want.pairs[i] {
				t.Errorf("pair %d is %q, want %q", i, got, want.pairs[i])
			}
		}
	})
}
