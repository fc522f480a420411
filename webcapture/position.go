package webcapture

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// SortByPosition sorts references in the order in which objects lie in the file;
// equal ones come to stand side by side. Reading many objects in this order is much
// faster than in any other when they stand in object streams.
func (f *File) SortByPosition(refs []object.Ref) {
	for i, p := range f.placed(len(refs), func(i int) object.Ref { return refs[i] }) {
		refs[i] = p.ref
	}
}

// OrderByPosition returns the numbers from 0 to n-1 in the order in
// which the objects lie in the file that ref returns for them; where that is one
// object, in their own order.
func (f *File) OrderByPosition(n int, ref func(i int) object.Ref) []int {
	order := make([]int, n)
	for i, p := range f.placed(n, ref) {
		order[i] = int(p.index)
	}
	return order
}

// A place is where the object is that something refers to. Positions are looked up
// once, not whenever two are compared.
type place struct {
	at    uint64
	ref   object.Ref
	index int32 // of what refers to it
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
