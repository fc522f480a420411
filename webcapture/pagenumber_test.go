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

// wrongCounts is a page tree of eight nodes. The counts of two nodes are wrong.
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

// PageNumber counts the pages that exist, not those of Count.
func TestPageNumberCountsPages(t *testing.T) {
	r := open(t, wrongCounts, webcapturetest.Layout{}).NewReader()
	for num, want := range map[uint32]int{5: 1, 3: 2, 6: 3, 7: 4} {
		if n, err := r.PageNumber(object.Ref{Num: num}); n != want || err != nil {
			t.Errorf("object %d is page %d, %v, want %d", num, n, err, want)
		}
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

// Damage in the page tree is an error, never another number.
func TestPageNumberFailsWithTheFile(t *testing.T) {
	d, err := webcapturetest.Parse(wrongCounts)
	if err != nil {
		t.Fatal(err)
	}
	data := string(d.Bytes(webcapturetest.Layout{}))
	for _, row := range []struct{ page, broken uint32 }{
		{3, 1}, {7, 2}, {7, 4}, {7, 8}, {99, 2}, {99, 6}, // object 99 does not exist
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
