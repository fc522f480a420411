package webcapture

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// SortByPosition sorts references by the position of their objects in the file, so equal references become
// neighbors. Reading many objects from object streams is fastest in this order.
func (f *File) SortByPosition(refs []object.Ref) {
	stored := slices.Clone(refs)
	for i, k := range f.OrderByPosition(len(refs), func(i int) object.Ref { return stored[i] }) {
		refs[i] = stored[k]
	}
}

// OrderByPosition returns the numbers from 0 to n-1, sorted by the position of the object ref(i) in the file.
// Numbers of the same object keep their order.
func (f *File) OrderByPosition(n int, ref func(i int) object.Ref) []int {
	type place struct { // looked up once
		at    uint64
		ref   object.Ref
		index int32
	}
	list := make([]place, n)
	for i := range list {
		r := ref(i)
		list[i] = place{f.pdf.Position(r), r, int32(i)}
	}
	slices.SortFunc(list, func(a, b place) int {
		if a.at != b.at { // the usual case
			return cmp.Compare(a.at, b.at)
		}
		return cmp.Or(a.ref.Compare(b.ref), cmp.Compare(a.index, b.index))
	})
	order := make([]int, n)
	for i, p := range list {
		order[i] = int(p.index)
	}
	return order
}
