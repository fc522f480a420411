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

// wrongCounts is a page tree of eight nodes. The counts of two nodes are wrong, so a number shows whether it was read
// from counts. The walk over all pages counts those that exist.
const wrongCounts = `catalog: << /Type /Catalog /Pages 1 0 R >>
1 0 obj << /Type /Pages /Kids [ 2 0 R null 3 0 R 8 0 R 4 0 R ] /Count 90 >>
2 0 obj << /Type /Pages /Parent 1 0 R /Kids [ 5 0 R ] /Count 10 >>
3 0 obj << /Type /Page /Parent 1 0 R >>
4 0 obj << /Type /Pages /Parent 1 0 R /Kids [ 6 0 R 7 0 R ] /Count 2 >>
5 0 obj << /Type /Page /Parent 2 0 R >>
6 0 obj << /Type /Page /Parent 4 0 R >>
7 0 obj << /Type /Page /Parent 4 0 R >>
8 0 obj << /Type /Pages /Parent 1 0 R /Kids [ ] /Count -7 >>
`

// PageNumber trusts the counts of nodes, as viewers do. After sixteen calls it counts the pages instead.
func TestPageNumberTrustsCounts(t *testing.T) {
	f := open(t, wrongCounts, webcapturetest.Layout{})
	number := func(r *webcapture.Reader, num uint32) int {
		n, err := r.PageNumber(object.Ref{Num: num})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for num, want := range map[uint32][2]int{5: {1, 1}, 3: {11, 2}, 6: {12, 3}, 7: {13, 4}} { // trusted, and counted
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			r := f.NewReader()
			for i := range 16 {
				if got := number(r, num); got != want[0] {
					t.Errorf("call %d: page %d, want %d", i+1, got, want[0])
				}
			}
			if got := number(r, num); got != want[1] {
				t.Errorf("after 16 calls: page %d, want %d", got, want[1])
			}
		})
	}
}

// If the ancestors of a page do not lead to the root, PageNumber counts all pages, and does so in later calls.
func TestPageNumberWithoutParents(t *testing.T) {
	for name, change := range map[string][2]string{
		"no parent":             {"/Page /Parent 4 0 R", "/Page"},
		"a parent without kids": {"/Page /Parent 4 0 R", "/Page /Parent 5 0 R"},
		"another parent":        {"/Page /Parent 4 0 R", "/Page /Parent 2 0 R"},
		"a circle":              {"/Pages /Parent 1 0 R /Kids [ 6", "/Pages /Parent 4 0 R /Kids [ 4 0 R 6"},
		"an unreadable parent":  {"/Page /Parent 4 0 R", "/Page /Parent 9 0 R"},
	} {
		t.Run(name, func(t *testing.T) {
			text := strings.ReplaceAll(wrongCounts, change[0], change[1]) + "9 0 obj << /Broken ] >>\n"
			if name == "a circle" {
				text = strings.Replace(text, "/Kids [ 2 0 R null 3 0 R 8 0 R 4 0 R ]",
					"/Kids [ 2 0 R null 3 0 R 8 0 R 6 0 R 7 0 R ]", 1)
			}
			r := open(t, text, webcapturetest.Layout{}).NewReader()
			for i, num := range []uint32{7, 6, 3} {
				if n, err := r.PageNumber(object.Ref{Num: num}); n != 4-i || err != nil {
					t.Errorf("object %d is page %d, %v, want %d", num, n, err, 4-i)
				}
			}
		})
	}
}

// The root of the page tree has no number, unless it is the only page. Nor has an object that does not exist.
func TestPageNumberOfOtherObjects(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		num  uint32
		want int
	}{
		"the root":              {wrongCounts, 1, 0},
		"a root that is a page": {"catalog: << /Type /Catalog /Pages 1 0 R >>\n1 0 obj << /Type /Page >>\n", 1, 1},
		"object 0":              {wrongCounts, 0, 0},
		"object 0, and no root": {"catalog: << /Type /Catalog >>\n1 0 obj << /Type /Page >>\n", 0, 0},
		"no root":               {"catalog: << /Type /Catalog >>\n1 0 obj << /Type /Page >>\n", 1, 0},
		"another page tree": {wrongCounts + "20 0 obj << /Kids [ 21 0 R ] >>\n" +
			"21 0 obj << /Parent 20 0 R >>\n", 21, 0},
		"a page twice, without parent": {"catalog: << /Type /Catalog /Pages 1 0 R >>\n" +
			"1 0 obj << /Kids [ 2 0 R 3 0 R 2 0 R ] >>\n2 0 obj << >>\n3 0 obj << >>\n", 2, 1},
		"object 0, and a direct page": {"catalog: << /Type /Catalog /Pages 1 0 R >>\n1 0 obj << /Kids [ << >> ] >>\n", 0, 0},
		"an object that is no page":   {wrongCounts + "20 0 obj (x)\n", 20, 0},
	} {
		t.Run(name, func(t *testing.T) {
			n, err := open(t, tt.text, webcapturetest.Layout{}).NewReader().PageNumber(object.Ref{Num: tt.num})
			if n != tt.want || err != nil {
				t.Errorf("page %d, %v, want %d", n, err, tt.want)
			}
		})
	}
}

// A sibling without Kids is one page, and so is an unreadable one. A sibling that is not a dictionary is none.
func TestPageNumberOfSiblings(t *testing.T) {
	for kid, want := range map[string]int{
		"null": 1, "(x)": 1, "9 0 R": 2, "10 0 R": 2, "99 0 R": 1, "11 0 R": 1, "12 0 R": 8, "13 0 R": 1,
		"12 0 R 10 0 R": 9, "12 0 R null": 8,
	} {
		t.Run(kid, func(t *testing.T) {
			r := open(t, "catalog: << /Type /Catalog /Pages 1 0 R >>\n1 0 obj << /Kids [ "+kid+` 2 0 R ] /Count 90 >>
2 0 obj << /Type /Page /Parent 1 0 R >>
9 0 obj << /Type /Page /Parent 1 0 R >>
10 0 obj << /Broken ] >>
11 0 obj << /Kids [ ] /Count (7) >>
12 0 obj << /Kids [ ] /Count 14 0 R >>
13 0 obj << /Kids [ ] /Count 10 0 R >>
14 0 obj 7
`, webcapturetest.Layout{}).NewReader()
			if n, err := r.PageNumber(object.Ref{Num: 2}); n != want || err != nil {
				t.Errorf("page %d, %v, want %d", n, err, want)
			}
		})
	}
}

// Damage in place of an object on the way to the root is an error, never another number.
func TestPageNumberFailsWithTheFile(t *testing.T) {
	d, err := webcapturetest.Parse(wrongCounts + `20 0 obj << /Type /Page /Parent 21 0 R >>
21 0 obj << /Type /Pages /Parent 1 0 R /Kids 22 0 R /Count 9 >>
22 0 obj [ 20 0 R ]
23 0 obj << /Type /Pages /Parent 1 0 R /Kids [ 24 0 R 25 0 R ] /Count 9 >>
24 0 obj << /Kids [ ] /Count 26 0 R >>
25 0 obj << /Type /Page /Parent 23 0 R >>
26 0 obj 7
`)
	if err != nil {
		t.Fatal(err)
	}
	data := string(d.Bytes(webcapturetest.Layout{}))
	for _, row := range []struct{ page, broken uint32 }{
		{20, 20}, {20, 21}, {20, 22}, {25, 23}, {25, 24}, {25, 26}, // outside the page tree
		{3, 1}, {7, 2}, {7, 4}, {7, 8}, {99, 2}, {99, 6}, // object 99 does not exist, so all pages are counted
	} {
		t.Run(fmt.Sprintf("%d without %d", row.page, row.broken), func(t *testing.T) {
			header := fmt.Sprintf("\n%d 0 obj", row.broken)
			broken := strings.Replace(data, header, "\n"+strings.Repeat("9", len(header)-len("\n 0 obj"))+" 0 obj", 1)
			f, err := webcapture.New(context.Background(), []byte(broken), webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if n, err := f.NewReader().PageNumber(object.Ref{Num: row.page}); !webcapture.IsDamage(err) {
				t.Errorf("page %d, %v, want damage", n, err)
			}
		})
	}
}

// A page without a parent is counted without object 0, which a damaged cross-reference table may name.
func TestPageWithoutParent(t *testing.T) {
	d, err := webcapturetest.Parse("20 0 obj << /Type /Page >>\n")
	if err != nil {
		t.Fatal(err)
	}
	const free, used = "0000000001 65535 f", "0000000001 00000 n"
	data := string(d.Bytes(webcapturetest.Layout{}))
	if !strings.Contains(data, free) {
		t.Fatalf("no %s in %s", free, data)
	}
	f, err := webcapture.New(t.Context(), []byte(strings.Replace(data, free, used, 1)), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if n, err := f.NewReader().PageNumber(object.Ref{Num: 20}); n != 1 || err != nil {
		t.Errorf("page %d, %v", n, err)
	}
}

// Damage on the way to a tree is an error, and not a missing key.
func TestLookupFailsWithTheFile(t *testing.T) {
	d, err := webcapturetest.Parse("names: 5 0 R\n5 0 obj << /URLS 6 0 R >>\n6 0 obj << /Names [ (b) 7 0 R ] >>\n7 0 obj null\n")
	if err != nil {
		t.Fatal(err)
	}
	data := string(d.Bytes(webcapturetest.Layout{}))
	for _, header := range []string{"\n5 0 obj", "\n6 0 obj"} {
		t.Run(header[1:], func(t *testing.T) {
			f, err := webcapture.New(context.Background(), []byte(strings.Replace(data, header, "\n9 0 obj", 1)),
				webcapture.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if value, ok, err := f.NewReader().Lookup(webcapture.URLS, "b"); !webcapture.IsDamage(err) || ok {
				t.Errorf("%v, %t, %v, want damage", value, ok, err)
			}
		})
	}
}

// Lookup finds the value of a key in either tree, and nothing if the catalog has no such tree.
func TestLookup(t *testing.T) {
	for names, want := range map[string]string{
		"<< /URLS << /Names [ (a) 6 0 R (b) 7 0 R ] >> >>": "7 0 R",
		"<< /URLS 5 0 R >>":                     "8 0 R",
		"<< /IDS << /Names [ (b) 6 0 R ] >> >>": "",
		"10 0 R":                                "9 0 R",
		"11 0 R":                                "",
		"[ ]":                                   "",
	} {
		t.Run(names, func(t *testing.T) {
			r := open(t, "names: "+names+"\n5 0 obj << /Names [ (b) 8 0 R ] >>\n10 0 obj << /URLS << /Names [ (b) 9 0 R ] >> >>\n"+
				"11 0 obj << /URLS ( >>\n", webcapturetest.Layout{}).NewReader()
			value, ok, err := r.Lookup(webcapture.URLS, "b")
			got := ""
			if ref, isRef := value.Ref(); isRef {
				got = ref.String()
			}
			if got != want || ok != (want != "") || err != nil {
				t.Errorf("%v, %t, %v, want %q", value, ok, err, want)
			}
		})
	}
}
