package diff

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// unreadDocument returns a document of a file with these objects, before it is read.
func unreadDocument(t *testing.T, objects string) *document {
	t.Helper()
	d, err := webcapturetest.Parse(objects)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(context.Background(), d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	return newDocument(f, db)
}

// workOf returns the work on a document so far.
func workOf(d *document) int64 {
	d.Reader.Settle()
	n, _ := d.File.Meter().Spent()
	return n
}

// budgeted has a file with everything that takes work. Each item is there n times.
func budgeted(n int, title string) string {
	repeat := func(s string) string { return strings.Repeat(s, n) }
	return `names: << /URLS << /Names [ (a) 5 0 R (b) [ ` + repeat("5 0 R ") + `] (c) 8 0 R ] >> >>
5 0 obj << /S /SPS /T (` + title + `) /O [ ` + repeat("6 0 R ") + `] /SI << /AU (a) >> >>
6 0 obj << /Type /Page /Contents [ ` + repeat("7 0 R ") + `] /Annots [ ` + repeat("<< >> ") + `]
 /Resources << /XObject << /I 9 0 R >> >> >>
7 0 obj << >> stream
` + title + ` /I Do
endstream
8 0 obj << /S /SIS /O [ ` + repeat("9 0 R ") + `] >>
9 0 obj << /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 >> stream
` + title + `
endstream
`
}

// TestOverTheMeter: if either file exceeds its meter, at any point, the comparison fails.
func TestOverTheMeter(t *testing.T) {
	open := func(title string, most int64) *webcapture.File {
		d, err := webcapturetest.Parse(budgeted(3, title))
		if err != nil {
			t.Fatal(err)
		}
		f, err := webcapture.New(context.Background(), d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if most > 0 {
			f.Meter().Limit(most, 1<<30)
		}
		return f
	}
	a, b := open("A", 0), open("B", 0)
	before, _ := open("A", 0).Meter().Spent()
	if res, err := Compare(a, b); err != nil || len(res.Changes) == 0 {
		t.Fatalf("within the meter: %v", err)
	}
	all, _ := a.Meter().Spent()
	for most := before + 1; most < all; most += meter.Object / 2 {
		for _, files := range [][2]*webcapture.File{{open("A", most), open("B", 0)}, {open("A", 0), open("B", most)}} {
			if res, err := Compare(files[0], files[1]); res != nil || !errors.Is(err, meter.Over{}) {
				t.Fatalf("%d of %d may be paid: %v, %v", most, all, res, err)
			}
		}
	}
}

// TestRepeatedWork: objects that are shared cost work each time, so that a small file cannot cause much.
func TestRepeatedWork(t *testing.T) {
	const page = "6 0 obj << /Type /Page /Contents 7 0 R /Resources << /XObject << /I 9 0 R >> >> >>\n"
	const image = "9 0 obj << /Subtype /Image >> stream\nx\nendstream\n"
	for name, file := range map[string]func(n int) string{
		"elements of a value": func(n int) string {
			return "names: << /URLS << /Names [ (a) [ " + strings.Repeat("5 0 R ", n) + "] ] >> >>\n5 0 obj << /S /SPS >>\n"
		},
		"members": func(n int) string {
			return "names: << /URLS << /Names [ (a) 5 0 R ] >> >>\n5 0 obj << /S /SPS /O [ " + strings.Repeat("6 0 R ", n) +
				"] >>\n6 0 obj << /Type /Page >>\n"
		},
		"annotations": func(n int) string {
			return "names: << /URLS << >> >>\n5 0 obj << /Type /Page /Annots [ " + strings.Repeat("<< >> ", n) + "] >>\n"
		},
		"pages": func(n int) string {
			return "catalog: << /Type /Catalog /Pages 3 0 R /Names << /URLS << >> >> >>\n3 0 obj << /Type /Pages /Kids [ " +
				strings.Repeat("6 0 R ", n) + "] >>\n6 0 obj << /Type /Page >>\n"
		},
		"painted images": func(n int) string {
			return "names: << /URLS << >> >>\n" + page + "7 0 obj << >> stream\n" + strings.Repeat("/I Do ", n) +
				"\nendstream\n" + image
		},
	} {
		t.Run(name, func(t *testing.T) {
			var work [2]int64
			for i, n := range []int{1, 101} {
				d := unreadDocument(t, file(n))
				if err := d.read(); err != nil {
					t.Fatal(err)
				}
				work[i] = workOf(d)
			}
			if more := work[1] - work[0]; more < 100*meter.Object {
				t.Errorf("100 more take %d units, want at least %d each", more, meter.Object)
			}
		})
	}
}

// TestSharedObjectsAreReadOnce: an image that pages share, and a shared command, are read once. Otherwise, large files
// would exceed the budget.
func TestSharedObjectsAreReadOnce(t *testing.T) {
	const size = 10_000 // of each object that is read once
	pad := "(" + strings.Repeat("x", size) + ")"
	file := func(n int) string {
		var pages, sets, keys strings.Builder
		for i := range n {
			num := []string{"10", "20", "30"}[i]
			keys.WriteString("(" + num + ") 1" + num + " 0 R ")
			pages.WriteString(num + " 0 obj << /Type /Page /Contents 7 0 R /Resources << /XObject << /I 9 0 R >> >> >>\n")
			sets.WriteString("1" + num + " 0 obj << /S /SPS /O [ ] /SI << /AU (a) /C 8 0 R >> >>\n")
		}
		return "names: << /URLS << /Names [ " + keys.String() + "] >> >>\n7 0 obj << >> stream\n/I Do\nendstream\n" +
			pages.String() + sets.String() + "8 0 obj << /URL " + pad + " >>\n" +
			"9 0 obj << /Subtype /Image /Width 1 /Height 1 /X " + pad + " >> stream\nx\nendstream\n"
	}
	var work [2]int64
	for i, n := range []int{1, 3} {
		d := unreadDocument(t, file(n))
		if err := d.read(); err != nil {
			t.Fatal(err)
		}
		work[i] = workOf(d)
	}
	if more := work[1] - work[0]; more > size {
		t.Errorf("two more pages and content sets take %d units", more)
	}
}
