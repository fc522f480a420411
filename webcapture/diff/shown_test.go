package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/diff"
)

// TestLongContent: the size of the content of a page has no limit, only the size of one token.
func TestLongContent(t *testing.T) {
	// file has a page whose content is a comment, an operator, and two line ends.
	file := func(size int, operator string) []byte {
		size -= len(operator) + 2
		runs := strings.Repeat("\x81%", size/128) + string([]byte{byte(257 - size%128), '%'}) + "\x80"
		s := "30 0 obj << /Filter /RunLengthDecode >> stream\n" + runs + "\nendstream\n" +
			"31 0 obj << >> stream\n" + operator + "\nendstream"
		return edited(t, append(more(s), "/Contents 18 0 R", "/Contents [ 30 0 R 31 0 R ]")...)
	}
	if res := compare(t, file(48<<20, "q"), edited(t, "first\n", "q\n")); !res.Same() {
		t.Errorf("48 MB:\n%s", text(res))
	}
	long := "(" + strings.Repeat("x", 40<<20) + ")"
	const want = "unread in A: page 1, 6 0 R: the content of the page has a token that is too long to be compared\n"
	if got := text(compare(t, edited(t, "first\n", long+"\n"), edited(t))); !strings.Contains(got, want) {
		t.Errorf("a string of 40 MB:\n%.200s", got)
	}
}

// TestPaintedObjects: of the objects that a page paints, images are compared by size and data, not by ID, and forms by
// their operators. A missing object is different from an image.
func TestPaintedObjects(t *testing.T) {
	const image = "<< /Subtype /Image /Width 8 /Height 4 /Filter /DCTDecode"
	painted := func(resources, objects string) string {
		return edit(t, base, append(more(objects), "first\n", "/I Do /J Do\n", "/Contents 18 0 R",
			"/Contents 18 0 R "+resources)...)
	}
	const both = "/Resources << /XObject << /I 30 0 R /J 31 0 R >> >>"
	one := func(head, data string) string { return head + " >> stream\n" + data + "\nendstream\n" }
	objects := func(i, j string) string { return "30 0 obj " + i + "\n31 0 obj " + j }
	a := painted(both, objects(one(image, "i"), one(image, "j")))
	for _, tt := range []struct {
		name, b string
		changes int
		whole   bool
	}{
		{"the same", a, 0, true},
		{"an ID", painted(both, objects(one(image+" /ID (x)", "i"), one(image, "j"))), 0, true},
		{"the data of the first", painted(both, objects(one(image, "x"), one(image, "j"))), 1, true},
		{"the data of the second", painted(both, objects(one(image, "i"), one(image, "x"))), 1, true},
		{"the height of the second", painted(both, objects(one(image, "i"), one(strings.Replace(image, "4", "5", 1),
			"j"))), 1, true},
		{"the first is a form", painted(both, objects(one("<< /Subtype /Form", "i"), one(image, "j"))), 1, true},
		{"the first is a form, and other data", painted(both, objects(one("<< /Subtype /Form", "i"), one(image, "x"))), 1,
			true},
		{"the first is unreadable", painted(both, objects("<< ]", one(image, "j"))), 0, false},
		{"indirect resources", painted("/Resources 32 0 R", objects(one(image, "i"), one(image, "j"))+
			"32 0 obj << /XObject 33 0 R >>\n33 0 obj << /I 30 0 R /J 31 0 R >>\n"), 0, true},
		{"other names", painted("/Resources << /XObject << /I 31 0 R /J 30 0 R >> >>", objects(one(image, "i"), one(image,
			"j"))), 1, true},
		{"a name with a code", strings.Replace(a, "/I Do", "/#49 Do", 1), 0, true},
		{"a name without an object", strings.Replace(a, "/I Do", "/K Do", 1), 1, true},
		{"no resources", painted("", objects(one(image, "i"), one(image, "j"))), 1, true},
		{"unreadable resources", painted("/Resources 32 0 R", objects(one(image, "i"), one(image, "j"))+"32 0 obj << ]\n"),
			0, false},
		{"unreadable XObject", painted("/Resources << /XObject 32 0 R >>", objects(one(image, "i"), one(image, "j"))+
			"32 0 obj << ]\n"), 0, false},
		{"resources of the page, not of its parent", painted(both+" /Parent 32 0 R", objects(one(image, "i"), one(image,
			"j"))+
			"32 0 obj << /Resources << /XObject << /I 31 0 R /J 30 0 R >> >> >>\n"), 0, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for name, pair := range map[string][2]string{"there": {a, tt.b}, "back": {tt.b, a}} {
				res := compare(t, pdf(t, pair[0]), pdf(t, pair[1]))
				if len(res.Changes) != tt.changes || res.Whole() != tt.whole {
					t.Errorf("%s: %d changes, whole %v; want %d, %v\n%s", name, len(res.Changes), res.Whole(), tt.changes,
						tt.whole, text(res))
				}
			}
		})
	}
}

// TestMoves: the order of pages differs if a page of a content set is before another one in one file only.
func TestMoves(t *testing.T) {
	file := func(order []int, listed []int) []byte {
		var kids, pages, members strings.Builder
		for _, n := range order {
			fmt.Fprintf(&kids, "%d 0 R ", 10+n)
			fmt.Fprintf(&pages, "%d 0 obj << /Type /Page /Parent 3 0 R /ID (%d) >>\n", 10+n, n)
		}
		for _, n := range listed {
			fmt.Fprintf(&members, "%d 0 R ", 10+n)
		}
		return pdf(t, "catalog: << /Type /Catalog /Pages 3 0 R /Names << /URLS 4 0 R >> >>\n3 0 obj << /Type /Pages /Kids [ "+
			kids.String()+"] >>\n4 0 obj << /Names [ (http://a.example/) 5 0 R ] >>\n5 0 obj << /S /SPS /O [ "+
			members.String()+"null ] /SI << /AU (http://a.example/) >> >>\n"+pages.String())
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		before, after := random.Perm(6), random.Perm(6)
		if random.IntN(3) == 0 {
			after = slices.Clone(before)
			after[1], after[2] = after[2], after[1]
		}
		listed := random.Perm(6)[:4]
		isMoved := func(p, q int) bool {
			return (slices.Index(before, p) < slices.Index(before, q)) != (slices.Index(after, p) < slices.Index(after, q))
		}
		want := slices.ContainsFunc(listed, func(p int) bool {
			return slices.ContainsFunc(listed, func(q int) bool { return isMoved(p, q) })
		})
		res := compare(t, file(before, listed), file(after, listed))
		if got := len(res.Changes) == 1 && res.Changes[0].Place.Part == diff.PageOrder; got != want {
			t.Errorf("pages %v become %v, O has %v:\n%s", before, after, listed, text(res))
		}
	}
}
