package webcapture

import (
	"cmp"
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// SortByPosition sorts references by the position of their objects in the file, so equal references become
// neighbors. Reading many objects from object streams is fastest in this order.
func (f *File) SortByPosition(refs []object.Ref) {
	for i, p := range f.placed(len(refs), func(i int) object.Ref { return refs[i] }) {
		refs[i] = p.ref
	}
}

// OrderByPosition returns the numbers from 0 to n-1, sorted by the position of the object ref(i) in the file.
// Numbers of the same object keep their order.
func (f *File) OrderByPosition(n int, ref func(i int) object.Ref) []int {
	order := make([]int, n)
	for i, p := range f.placed(n, ref) {
		order[i] = int(p.index)
	}
	return order
}

// A place is the position of an object, cached so that sorting looks it up once.
type place struct {
	at    uint64
	ref   object.Ref
	index int32 // index of the reference
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
