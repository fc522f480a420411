package catalog

import (
	"context"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestImageUses: the images of resources cost work each time, also if several pages share the resources.
func TestImageUses(t *testing.T) {
	d, err := webcapturetest.Parse(`5 0 obj << /XObject << /K 8 0 R /I 6 0 R /J 7 0 R >> >>
6 0 obj << /Subtype /Image >> stream
endstream
7 0 obj << /Subtype /Image >> stream
endstream
8 0 obj << ]
`)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(context.Background(), d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	resources, want := object.MakeRef(object.Ref{Num: 5}), []object.Ref{{Num: 6}, {Num: 7}}
	w := imageUses{reader: f.NewReader(), known: map[object.Ref][]object.Ref{}, limit: 1 << 20}
	of := func(o object.Object, malformed bool) {
		t.Helper()
		before := w.uses
		list, err := w.of(o)
		if !slices.Equal(list, want) || object.IsMalformed(err) != malformed {
			t.Errorf("images %v, error %v, want %v", list, err, want)
		}
		if w.uses-before != 2*useCost {
			t.Errorf("%d units, want %d", w.uses-before, 2*useCost)
		}
	}
	of(resources, true)
	read := w.reader.BytesRead()
	of(resources, false) // the error is reported once
	if w.reader.BytesRead() != read {
		t.Error("shared resources are read again")
	}
	own, err := f.NewReader().Resolve(resources)
	if err != nil {
		t.Fatal(err)
	}
	of(own, true)
	of(own, true)
	if len(w.known) != 1 {
		t.Errorf("%d resources are kept, want only the shared ones", len(w.known))
	}
	w.limit = w.reader.BytesRead() + w.uses
	of(resources, false)
	if list, err := w.of(resources); err != errPageImages || list != nil {
		t.Errorf("over the limit: images %v, error %v", list, err)
	}
}
