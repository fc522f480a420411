package pdffile

import (
	"slices"

	"github.com/webcap-tools/webcap/nametree/object"
)

// Refs returns the objects of the file, by what its cross-reference data says,
// in order of their numbers. Some may not be there.
func (f *File) Refs() []object.Ref {
	if f.pdfcpu != nil {
		return f.pdfcpu.refs()
	}
	var refs []object.Ref
	for num, e := range f.entries {
		switch e.kind {
		case inFile:
			refs = append(refs, object.Ref{Num: uint32(num), Gen: e.gen})
		case inStream:
			refs = append(refs, object.Ref{Num: uint32(num)})
		}
	}
	return refs
}

// refs is File.Refs for a file that pdfcpu has read.
func (r *pdfcpuFile) refs() []object.Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	var refs []object.Ref
	for num, e := range r.ctx.Table {
		if e == nil || e.Free || num < 0 || num > maxObjectNumber {
			continue
		}
		ref := object.Ref{Num: uint32(num)}
		if e.Generation != nil {
			ref.Gen = uint16(*e.Generation)
		}
		refs = append(refs, ref)
	}
	slices.SortFunc(refs, object.Ref.Compare)
	return refs
}
