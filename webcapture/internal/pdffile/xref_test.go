package pdffile

import (
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// sectionKinds are the layouts that differ in their cross-reference data.
var sectionKinds = map[string]webcapturetest.Layout{
	"table":          {},
	"stream":         {XRef: webcapturetest.Stream},
	"object streams": {XRef: webcapturetest.Stream, ObjectStreams: 7},
	"hybrid":         {XRef: webcapturetest.Hybrid, ObjectStreams: 5},
}

// TestDeletedObjectsStayDeleted: an update that frees an object hides its older version (7.5.6).
func TestDeletedObjectsStayDeleted(t *testing.T) {
	for name, l := range sectionKinds {
		d := sample(false)
		gone, kept := d.Add("(deleted later)"), d.Add("(kept)")
		d.Update()
		d.Free(gone)
		f := opened(t, name, d.Bytes(l), "")
		r := f.NewReader()
		if o, err := r.Get(object.Ref{Num: uint32(gone)}); err != nil || !o.IsNull() {
			t.Errorf("%s: the deleted object is %v, %v", name, o, err)
		}
		if o, err := r.Get(object.Ref{Num: uint32(kept)}); err != nil || text(o) != text(literal("(kept)")) {
			t.Errorf("%s: the object next to it is %v, %v", name, o, err)
		}
	}
}

// TestPrevZeroEndsTheChain: some writers use /Prev 0 if there is no previous section.
func TestPrevZeroEndsTheChain(t *testing.T) {
	for name, l := range sectionKinds {
		if l.XRef == webcapturetest.Hybrid {
			continue // has a /Prev of its own
		}
		d := sample(false)
		d.Trailer = "/Prev 0"
		opened(t, name, d.Bytes(l), "")
	}
}

// literal returns the object that s spells.
func literal(s string) object.Object {
	o, _, err := object.Parse([]byte(s), 0)
	if err != nil {
		panic(err)
	}
	return o
}
