package webcapture_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestPages: the pages of a page tree, in page order, and the end of the walk.
func TestPages(t *testing.T) {
	const leaves = "3 0 obj << /Type /Page >>\n4 0 obj << /Type /Page >>\n"
	for _, c := range []struct{ name, text, want string }{
		{"in order", "2 0 obj << /Kids [ 3 0 R 4 0 R ] >>", "1: 3 0 R, 2: 4 0 R"},
		{"a page again", "2 0 obj << /Kids [ 3 0 R 4 0 R 3 0 R 4 0 R ] >>",
			"1: 3 0 R, 2: 4 0 R, 3: 3 0 R again, 4: 4 0 R again"},
		{"one that cannot be read counts", "2 0 obj << /Kids [ 5 0 R 4 0 R ] >>\n5 0 obj << /Type ) >>",
			"1: 5 0 R unreadable, 2: 4 0 R"},
		{"a node again", "2 0 obj << /Kids [ 5 0 R 5 0 R 4 0 R ] >>\n5 0 obj << /Kids [ 3 0 R ] >>",
			"1: 3 0 R, no tree"},
		{"objects that are not dictionaries do not count", "2 0 obj << /Kids [ null 3 0 R (x) 99 0 R 4 0 R ] >>",
			"1: 3 0 R, 2: 4 0 R"},
		{"a node whose kids cannot be read", "2 0 obj << /Kids [ 6 0 R 4 0 R ] >>\n" +
			"5 0 obj << /Type ) >>\n6 0 obj << /Kids 5 0 R >>", "1: 6 0 R unreadable, 1: 6 0 R, 2: 4 0 R"},
		{"a circle", "2 0 obj << /Kids [ 3 0 R 2 0 R 4 0 R ] >>", "1: 3 0 R, no tree"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := open(t, "catalog: << /Type /Catalog /Pages 2 0 R >>\n"+leaves+c.text, webcapturetest.Layout{})
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			for pg, err := range f.NewReader().Pages(db) {
				if got != "" {
					got += ", "
				}
				if errors.Is(err, webcapture.ErrPageTree) {
					got += "no tree"
					continue
				}
				got += fmt.Sprintf("%d: %v", pg.Index+1, pg.Ref)
				if err != nil {
					got += " unreadable"
				} else if pg.Again {
					got += " again"
				}
			}
			if got != c.want {
				t.Errorf("%s: %s, want %s", c.name, got, c.want)
			}
		})
	}
}

// A page without resources inherits those of its nearest ancestor. Null counts as absent.
func TestPagesInheritResources(t *testing.T) {
	f := open(t, `catalog: << /Type /Catalog /Pages 1 0 R >>
1 0 obj << /Resources << /A 1 >> /Kids [ 2 0 R 3 0 R 4 0 R << /Resources null >> ] >>
2 0 obj << /Type /Page >>
3 0 obj << /Type /Page /Resources 9 0 R >>
4 0 obj << /Resources << /B 1 >> /Kids [ 5 0 R 6 0 R ] >>
5 0 obj << /Type /Page >>
6 0 obj << /Type /Page /Resources << >> >>
`, webcapturetest.Layout{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for pg, err := range f.NewReader().Pages(db) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, pg.Resources.String())
	}
	if want := "<< /A 1 >>, 9 0 R, << /B 1 >>, << >>, << /A 1 >>"; strings.Join(got, ", ") != want {
		t.Errorf("resources %s, want %s", strings.Join(got, ", "), want)
	}
}

// Callers may stop at any page, and at an error.
func TestPagesStop(t *testing.T) {
	f := open(t, `catalog: << /Type /Catalog /Pages 1 0 R >>
1 0 obj << /Kids [ 2 0 R 3 0 R 4 0 R 2 0 R ] >>
2 0 obj << /Type /Page >>
3 0 obj << /Broken ] >>
4 0 obj << /Kids 3 0 R >>
`, webcapturetest.Layout{})
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	for enough := 1; enough <= 5; enough++ {
		n := 0
		for range f.NewReader().Pages(db) {
			if n++; n == enough {
				break
			}
		}
		if n != enough {
			t.Errorf("%d pages, want %d", n, enough)
		}
	}
}

// TestPageNumber compares the number of each page with the walk over all pages.
func TestPageNumber(t *testing.T) {
	var many strings.Builder
	for i := range 40 {
		fmt.Fprintf(&many, "%d 0 obj << /Type /Page /Parent 2 0 R >>\n", 6+i)
	}
	for _, text := range []string{
		"6 0 obj << /Type /Page >>\n7 0 obj << /Type /Page >>\n", many.String(),
		`catalog: << /Type /Catalog /Pages 1 0 R >>
		1 0 obj << /Type /Pages /Kids [ 2 0 R 3 0 R 6 0 R 4 0 R ] /Count 6 >>
		2 0 obj << /Type /Page /Parent 1 0 R >>
		3 0 obj << /Type /Pages /Parent 1 0 R /Kids [ 5 0 R 7 0 R ] /Count 2 >>
		4 0 obj << /Type /Pages /Parent 1 0 R /Kids [ 8 0 R 9 0 R ] /Count 2 >>
		5 0 obj << /Type /Page /Parent 3 0 R >>
		6 0 obj << /Type /Page /Parent 1 0 R >>
		7 0 obj << /Type /Page /Parent 3 0 R >>
		8 0 obj << /Type /Page /Parent 4 0 R >>
		9 0 obj << /Type /Page /Parent 4 0 R >>`,
	} {
		t.Run(text[:min(len(text), 40)], func(t *testing.T) {
			doc, err := webcapturetest.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			f, err := webcapture.New(t.Context(), doc.Bytes(webcapturetest.Layout{}), webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			db, err := f.Database()
			if err != nil {
				t.Fatal(err)
			}
			r, pages := f.NewReader(), 0
			for p, err := range f.NewReader().Pages(db) {
				if err != nil {
					t.Fatal(err)
				}
				pages++
				if n, err := r.PageNumber(p.Ref); n != p.Index+1 || err != nil {
					t.Errorf("page %d has the number %d, %v", p.Index+1, n, err)
				}
			}
			if pages < 2 {
				t.Errorf("%d pages", pages)
			}
			for _, ref := range []object.Ref{{}, {Num: 99}, f.Catalog()} {
				if n, err := r.PageNumber(ref); n != 0 || err != nil {
					t.Errorf("%v has the number %d, %v", ref, n, err)
				}
			}
		})
	}
}
