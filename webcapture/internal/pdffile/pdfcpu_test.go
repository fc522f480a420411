package pdffile

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// skipping returns a file with a catalog that only pdfcpu reads, and with objects that pdfcpu cannot read.
func skipping() []byte {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/Names 30 0 R/X foo bar>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n")
	for num := 3; num < 40; num++ {
		fmt.Fprintf(&b, "%d 0 obj\n<</A [ (x) >> ) ]\nendobj\n", num)
	}
	b.WriteString("40 0 obj\nnull\nendobj\ntrailer\n<</Size 41/Root 1 0 R>>\nstartxref\n9\n%%EOF\n")
	return []byte(b.String())
}

// TestPdfcpuLeavesNothingOutInSilence: a file that only pdfcpu reads counts as incomplete, and objects that it skipped
// are errors, not null.
func TestPdfcpuLeavesNothingOutInSilence(t *testing.T) {
	f, err := New(context.Background(), skipping(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Unread()) == 0 {
		t.Error("nothing is unread")
	}
	for num := uint32(3); num < 40; num++ {
		ref := object.Ref{Num: num}
		if o, err := f.NewReader().Get(ref); !object.IsMalformed(err) {
			t.Errorf("object %v, which was skipped, is %v, %v", ref, o, err)
		}
	}
}

// TestPdfcpuSaysTheSameEachTime: pdfcpu visits objects in random order, but notices and unread parts are the same.
func TestPdfcpuSaysTheSameEachTime(t *testing.T) {
	first, err := New(context.Background(), skipping(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		f, err := New(context.Background(), skipping(), nil)
		if err != nil || !slices.Equal(f.Notices(), first.Notices()) ||
			fmt.Sprint(f.Unread()) != fmt.Sprint(first.Unread()) {
			t.Fatalf("%v: %q and then %q", err, first.Notices(), f.Notices())
		}
	}
}

// tableOf returns a pdfcpuFile with these entries.
func tableOf(entries map[int]*model.XRefTableEntry) *pdfcpuFile {
	return &pdfcpuFile{ctx: &model.Context{XRefTable: &model.XRefTable{Table: entries}}}
}

// TestWhatPdfcpuHasRead: entries that are deleted, or have impossible numbers, are ignored.
func TestWhatPdfcpuHasRead(t *testing.T) {
	gen := func(n int) *int { return &n }
	stream := types.StreamDict{Dict: types.Dict{"Length": types.Integer(3)}, Raw: []byte("abc")}
	r := tableOf(map[int]*model.XRefTableEntry{
		9:                    {Object: types.Integer(9)},
		-1:                   {Object: types.Integer(1)},
		object.MaxNumber:     {Object: types.Integer(2)},
		object.MaxNumber + 1: {Object: types.Integer(3)},
		3:                    {Object: types.Integer(3), Generation: gen(2)},
		4:                    {Object: types.Integer(4), Free: true},
		5:                    nil,
		6:                    {Object: stream, Generation: gen(1)},
	})
	want := []object.Ref{{Num: 3, Gen: 2}, {Num: 6, Gen: 1}, {Num: 9}, {Num: object.MaxNumber}}
	if got := r.refs(); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for ref, want := range map[object.Ref]string{{Num: 9}: "9", {Num: 3, Gen: 2}: "3", {Num: 3}: "", {Num: 4}: "",
		{Num: 5}: "", {Num: 7}: ""} {
		t.Run(fmt.Sprint(ref), func(t *testing.T) {
			if o, err := r.get(ref); err != nil || string(o.Raw()) != want {
				t.Errorf("%v is %s, %v, want %s", ref, o.Raw(), err, want)
			}
		})
	}
	if o, err := r.get(object.Ref{Num: 6, Gen: 1}); err != nil || o.Kind() != object.Stream {
		t.Errorf("%v, %v, want a stream", o, err)
	}
	if data := r.stream(object.Ref{Num: 6, Gen: 1}); string(data) != "abc" {
		t.Errorf("the data of a stream are %q", data)
	}
}

// TestNoFolderIsMade: pdfcpu does not create a folder for its configuration.
func TestNoFolderIsMade(t *testing.T) {
	if _, err := New(context.Background(), skipping(), nil); err != nil {
		t.Fatal(err)
	}
	if model.ConfigPath != "disable" {
		t.Errorf("pdfcpu has its configuration in %s", model.ConfigPath)
	}
}

// TestPanicsOfPdfcpuAreErrors: a panic of pdfcpu is an error about one object; others can be read afterwards.
func TestPanicsOfPdfcpuAreErrors(t *testing.T) {
	lazy := types.LazyObjectStreamObject{} // of no object stream
	r := tableOf(map[int]*model.XRefTableEntry{9: {Object: lazy}, 10: {Object: types.Integer(10)}})
	if o, err := r.get(object.Ref{Num: 9}); !object.IsMalformed(err) || !strings.Contains(err.Error(), "not readable") {
		t.Errorf("%v, %v", o, err)
	}
	if o, err := r.get(object.Ref{Num: 10}); err != nil || string(o.Raw()) != "10" { // the mutex is free
		t.Errorf("%v, %v", o, err)
	}
}

// TestPdfcpuValuesAreSpelled: the values of pdfcpu become PDF text.
func TestPdfcpuValuesAreSpelled(t *testing.T) {
	ref := *types.NewIndirectRef(7, 2)
	deep := types.Object(types.Integer(1))
	for range object.MaxDepth - 1 {
		deep = types.Array{deep}
	}
	dicts := types.Object(types.Integer(1))
	for range object.MaxDepth - 1 {
		dicts = types.Dict{"A": dicts}
	}
	for want, o := range map[string]types.Object{
		"true": types.Boolean(true), "-5": types.Integer(-5), "1.5": types.Float(1.5), "/a#20b": types.Name("a b"),
		`(a\)b)`: types.StringLiteral(`a\)b`), "<0aF>": types.HexLiteral("0aF"), "7 2 R": ref, "null": nil,
		"[1 7 2 R null ]": types.Array{types.Integer(1), ref, nil},
		"<</A 1/B [2 ]>>": types.Dict{"B": types.Array{types.Integer(2)}, "A": types.Integer(1)},
		"<</A 1>> stream": types.StreamDict{Dict: types.Dict{"A": types.Integer(1)}},
		"<</B 1>> stream": types.ObjectStreamDict{StreamDict: types.StreamDict{Dict: types.Dict{"B": types.Integer(1)}}},
		"<</C 1>> stream": types.XRefStreamDict{StreamDict: types.StreamDict{Dict: types.Dict{"C": types.Integer(1)}}},
		strings.Repeat("[", (object.MaxDepth-1)) + "1" + strings.Repeat(" ]", (object.MaxDepth-1)):     deep,
		strings.Repeat("<</A ", (object.MaxDepth-1)) + "1" + strings.Repeat(">>", (object.MaxDepth-1)): dicts,
		strings.Repeat("<</A ", (object.MaxDepth-1)) + "<</A null>>" + strings.Repeat(">>",
			(object.MaxDepth-1)): types.Dict{"A": dicts},
		strings.Repeat("[", (object.MaxDepth-1)) + "[null ]" + strings.Repeat(" ]",
			(object.MaxDepth-1)): types.Array{deep},
	} {
		t.Run(want, func(t *testing.T) {
			if got := string(appendObject(nil, o, 0)); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// TestFilesThatPdfcpuReadAreCutOff: a file without an end marker is cut off for pdfcpu, too.
func TestFilesThatPdfcpuReadAreCutOff(t *testing.T) {
	data := sample(false).Bytes(webcapturetest.Layout{})
	if f := byPdfcpu(t, data, ""); f.isCutOff {
		t.Errorf("complete: %v", f.Unread())
	}
	cut := data[:bytes.LastIndex(data, []byte(endMarker))]
	if f := byPdfcpu(t, cut, ""); !f.isCutOff {
		t.Errorf("without an end marker: %v", f.Unread())
	}
}

// TestTrailerOfPdfcpu: the trailer has the entries that pdfcpu keeps, as they are. A malformed ID is an error.
func TestTrailerOfPdfcpu(t *testing.T) {
	ref := func(num int) *types.IndirectRef { return types.NewIndirectRef(num, 0) }
	for want, table := range map[string]*model.XRefTable{
		"<</Root 1 0 R>>": {Root: ref(1)},
		"<</Encrypt 3 0 R/ID[(a)(b)]/Info 2 0 R/Root 1 0 R>>": {Root: ref(1), Info: ref(2), Encrypt: ref(3),
			ID: types.Array{types.StringLiteral("a"), types.StringLiteral("b")}},
	} {
		d, err := trailerOf(&model.Context{XRefTable: table})
		if err != nil || !object.Same(literal(string(d.Raw())), literal(want)) {
			t.Errorf("%s, %v, want %s", d.Raw(), err, want)
		}
	}
	id := types.Array{types.StringLiteral("(")}
	if d, err := trailerOf(&model.Context{XRefTable: &model.XRefTable{Root: ref(1), ID: id}}); err == nil {
		t.Errorf("malformed: %s", d.Raw())
	}
}
