package pdffile

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// skipping is a file with a catalog that only pdfcpu reads, and objects that
// pdfcpu cannot read.
func skipping() []byte {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/Names 30 0 R/X foo bar>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n")
	for num := 3; num < 40; num++ {
		fmt.Fprintf(&b, "%d 0 obj\n<</A [ (x) >> ) ]\nendobj\n", num)
	}
	b.WriteString("40 0 obj\nnull\nendobj\ntrailer\n<</Size 41/Root 1 0 R>>\nstartxref\n9\n%%EOF\n")
	return []byte(b.String())
}

// TestPdfcpuLeavesNothingOutInSilence: a file that only pdfcpu reads is not read as
// a whole, and what it skipped is not null.
func TestPdfcpuLeavesNothingOutInSilence(t *testing.T) {
	f, err := New(skipping(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if f.pdfcpu == nil {
		t.Fatal("not read by pdfcpu")
	}
	if len(f.Unread()) == 0 || !f.CatalogGuessed() {
		t.Errorf("unread %v, guessed %v", f.Unread(), f.CatalogGuessed())
	}
	r := f.NewReader()
	if o, err := r.Get(object.Ref{Num: 40}); err != nil || !o.IsNull() {
		t.Errorf("what is null is %#v, %v", o, err)
	}
	t.Log(f.Notices(), f.Unread())
	for num := range f.pdfcpu.skipped {
		if o, err := r.Get(object.Ref{Num: num}); !object.IsMalformed(err) {
			t.Errorf("object %d, which was skipped, is %#v, %v", num, o, err)
		}
	}
}

// TestPdfcpuSaysTheSameEachTime: it goes over the objects in a random order.
func TestPdfcpuSaysTheSameEachTime(t *testing.T) {
	first, err := New(skipping(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		f, err := New(skipping(), Options{})
		if err != nil || !slices.Equal(f.Notices(), first.Notices()) || fmt.Sprint(f.Unread()) != fmt.Sprint(first.Unread()) {
			t.Fatalf("%v: %q and then %q", err, first.Notices(), f.Notices())
		}
	}
}

func TestNoticesOfPdfcpuAreSorted(t *testing.T) {
	l := noticeLog{skipped: map[uint32]bool{}}
	l.Println("pdfcpu skipped: obj #7 reason: one")
	l.Println("pdfcpu repaired: trailer size")
	l.Println("pdfcpu skipped: obj #7 reason: two")
	l.Println("pdfcpu skipped: malformed object at offset 5: x")
	l.Println("something else")
	want := []string{"pdfcpu repaired: trailer size", "pdfcpu skipped: malformed object at offset 5: x", "pdfcpu skipped: object 7"}
	if got := l.sorted(); !slices.Equal(got, want) || !l.skipped[7] {
		t.Errorf("%q, want %q", got, want)
	}
}
