package pdffile

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Refs returns the objects in the cross-reference data, sorted by number. Some may not exist in the file.
func (f *File) Refs() []object.Ref {
	var refs []object.Ref
	if f.byPdfcpu != nil {
		refs = f.byPdfcpu.refs()
	}
	for num, e := range f.entries {
		switch e.kind {
		case inFile:
			refs = append(refs, object.Ref{Num: uint32(num), Gen: e.gen})
		case inStream:
			refs = append(refs, object.Ref{Num: uint32(num)})
		}
	}
	if f.shown == nil {
		return refs
	}
	for num, c := range f.shown.objects {
		refs = append(refs, object.Ref{Num: num, Gen: c.gen})
	}
	slices.SortFunc(refs, object.Ref.Compare)
	return slices.Compact(refs)
}
