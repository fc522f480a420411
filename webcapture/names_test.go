package webcapture_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// names reads the names of a document.
func names(t *testing.T, f *webcapture.File) (list []webcapture.Name, errs []error) {
	t.Helper()
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	for n, err := range f.Names(db) {
		if err != nil {
			errs = append(errs, err)
			continue
		}
		list = append(list, n)
	}
	return list, errs
}

// namedThings has names of each kind.
const namedThings = `catalog: << /Type /Catalog /Pages 1 0 R /Names << /Dests 2 0 R >> /Dests 3 0 R /AcroForm << /Fields [ 4 0 R 9 0 R << /T (direct) >> 4 0 R ] >> >>
		1 0 obj << /Type /Pages /Kids [ ] /Count 0 >>
		2 0 obj << /Names [ (b\000) null 8 0 R null ] >>
		3 0 obj << /old#20one null >>
		4 0 obj << /T (root) /Kids [ 5 0 R 6 0 R ] >>
		5 0 obj << /T (child) /Kids [ 4 0 R ] >>
		6 0 obj << /Kids 10 0 R >>
		7 0 obj << /T () >>
		8 0 obj (c)
		9 0 obj << /T 8 0 R >>
		10 0 obj [ 7 0 R ]`

func TestNames(t *testing.T) {
	want := []webcapture.Name{
		{Kind: webcapture.TreeDestination, Name: "b\x00"},
		{Kind: webcapture.TreeDestination, Name: "c"},
		{Kind: webcapture.OldDestination, Name: "old one"},
		{Kind: webcapture.FormField, Name: "root", Full: "root", Ref: object.Ref{Num: 4}},
		{Kind: webcapture.FormField, Name: "child", Full: "root.child", Ref: object.Ref{Num: 5}},
		{Kind: webcapture.FormField, Name: "", Full: "root.", Ref: object.Ref{Num: 7}},
		{Kind: webcapture.FormField, Name: "c", Full: "c", Ref: object.Ref{Num: 9}},
	}
	for name, l := range layouts {
		t.Run(name, func(t *testing.T) {
			got, errs := names(t, open(t, namedThings, l))
			if fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) || errs != nil {
				t.Errorf("names %q, errors %v, want %q", got, errs, want)
			}
		})
	}
}

// Callers may stop at a name of any kind.
func TestNamesEnd(t *testing.T) {
	f := open(t, namedThings, webcapturetest.Layout{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	for enough := 1; enough <= 7; enough++ {
		n := 0
		for range f.Names(db) {
			if n++; n == enough {
				break
			}
		}
		if n != enough {
			t.Errorf("%d names, want %d", n, enough)
		}
	}
}

// Readable names are yielded; unreadable objects give errors.
func TestNamesOfBrokenFiles(t *testing.T) {
	got, errs := names(t, open(t, `catalog: << /Type /Catalog /Names << /Dests 2 0 R >> /Dests 3 0 R /AcroForm << /Fields [ 4 0 R 5 0 R 6 0 R ] >> >>
		2 0 obj << /Names [ (a] >>
		3 0 obj << /x [ >>
		4 0 obj << /T (bad >>
		5 0 obj << /T 4 0 R /Kids 4 0 R >>
		6 0 obj << /T (good) >>`, webcapturetest.Layout{}))
	if len(got) != 1 || got[0].Full != "good" || len(errs) != 5 {
		t.Errorf("names %q, errors %v, want good and five", got, errs)
	}
	for _, err := range errs {
		if !object.IsMalformed(err) {
			t.Errorf("%v does not speak of the file", err)
		}
	}
}

// An unreadable form, or list of fields, is an error of the kind of its names.
func TestNamesOfBrokenParts(t *testing.T) {
	for entry, want := range map[string]webcapture.NameKind{
		"/AcroForm 2 0 R": webcapture.FormField, "/AcroForm << /Fields 2 0 R >>": webcapture.FormField,
		"/Dests 2 0 R": webcapture.OldDestination, "/Names << /Dests 2 0 R >>": webcapture.TreeDestination,
	} {
		t.Run(entry, func(t *testing.T) {
			f := open(t, "catalog: << /Type /Catalog "+entry+" >>\n2 0 obj << /x [ >>\n", webcapturetest.Layout{})
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for name, err := range f.Names(db) {
				if n++; !object.IsMalformed(err) || name.Kind != want {
					t.Errorf("%v, %v, want an error of a %v", name, err, want)
				}
			}
			if n != 1 {
				t.Errorf("%d results, want 1", n)
			}
		})
	}
}

func TestNamesAreBounded(t *testing.T) {
	deep := new(webcapturetest.Document)
	deep.Root = deep.Add("<</Type/Catalog/AcroForm<</Fields[2 0 R]>>>>")
	for i := range 100 {
		deep.Add(fmt.Sprintf("<</T(x)/Kids[%d 0 R]>>", i+3))
	}
	// Each field has the same long name, by reference.
	large := new(webcapturetest.Document)
	large.Root = large.Reserve()
	name := large.Add("(" + strings.Repeat("x", 1<<20) + ")")
	var fields strings.Builder
	for range 200 {
		fmt.Fprintf(&fields, "%d 0 R ", large.Add(fmt.Sprintf("<</T %d 0 R>>", name)))
	}
	large.Set(large.Root, "<</Type/Catalog/AcroForm<</Fields["+fields.String()+"]>>>>")
	for name, row := range map[string]struct {
		d     *webcapturetest.Document
		least int
	}{"deep": {deep, 60}, "large": {large, 50}} {
		t.Run(name, func(t *testing.T) {
			f, err := webcapture.New(context.Background(), row.d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got, errs := names(t, f)
			if len(got) < row.least || len(got) >= 100 || len(errs) != 1 || !object.IsMalformed(errs[0]) {
				t.Errorf("%s: %d names, errors %v", name, len(got), errs)
			}
		})
	}
}
