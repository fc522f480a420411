package webcapture

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// SortByPosition sorts references by the position of their objects in the file; equal ones become neighbors. For
// object streams, reading many objects in this order is much faster than in any other.
func (f *File) SortByPosition(refs []object.Ref) {
	for i, p := range f.placed(len(refs), func(i int) object.Ref { return refs[i] }) {
		refs[i] = p.ref
	}
}

// OrderByPosition returns the numbers from 0 to n-1 in the order of the positions of the objects ref(i); numbers of
// the same object keep their order.
func (f *File) OrderByPosition(n int, ref func(i int) object.Ref) []int {
	order := make([]int, n)
	for i, p := range f.placed(n, ref) {
		order[i] = int(p.index)
	}
	return order
}

// A place is the position of an object. Positions are looked up once, not at each comparison.
type place struct {
	at    uint64
	ref   object.Ref
	index int32 // of the reference
}

func (f *File) placed(n int, ref func(i int) object.Ref) []place {
	list := make([]place, n)
	for i := range list {
		r := ref(i)
		list[i] = place{f.pdf.Position(r), r, int32(i)}
	}
	slices.SortFunc(list, func(a, b place) int {
		switch {
		case a.at != b.at:
			return cmp.Compare(a.at, b.at)
		case a.ref != b.ref:
			return a.ref.Compare(b.ref)
		}
		return cmp.Compare(a.index, b.index)
	})
	return list
}
