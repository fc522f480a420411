package catalog

import (
	"context"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
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
	w := imageUses{reader: f.NewReader(), known: map[object.Ref][]object.Ref{}}
	spent := func() int64 {
		w.reader.Settle()
		n, _ := f.Meter().Spent()
		return n
	}
	of := func(o object.Object, malformed bool) {
		t.Helper()
		before := spent()
		list, err := w.of(o)
		if !slices.Equal(list, want) || object.IsMalformed(err) != malformed {
			t.Errorf("images %v, error %v, want %v", list, err, want)
		}
		if n := spent() - before; n < 2*meter.Object {
			t.Errorf("%d units, want at least %d", n, 2*meter.Object)
		}
	}
	of(resources, true)
	before := spent()
	of(resources, false) // the error is reported once
	if spent()-before != 2*meter.Object {
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
	f.Meter().Pay(1 << 60)
	if list, err := w.of(resources); err != (meter.Over{}) || list != nil {
		t.Errorf("over the meter: images %v, error %v", list, err)
	}
}
