package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// shownContents are contents of a page, and whether they show the same.
var shownContents = []struct {
	a, b string
	same bool
}{
	{"q Q", "q\x00\t\f\r Q", true},
	{"q Q", "q % a comment\rQ", true},
	{"q Q", "q % a comment\nQ", true},
	{"q Q", "q % Q", false},
	{"q Q", "qQ", false},
	{"q Q", "Q q", false},
	{"/F1 Tf", "/F2 Tf", true}, // names of resources do not count
	{"/F1 Tf", "/F#31 Tf", true},
	{"/F1 Tf", "Tf", false},
	{"/F1/F2 scn", "/F1 scn", false},
	{"/F#zz Tf", "/F Tf", true},
	{"[1 2]d", "[ 1 2 ] d", true},
	{"[1 2]d", "[1] 2 d", false},
	{"<</A 1>>BDC", "<< /B 1 >> BDC", true},
	{"<</A 1>>BDC", "<< /A 2 >> BDC", false},
	{"<</A 1>>BDC", "<< /A 1.0>>BDC", true},
	{"<</A 1/B 23>>BDC", "<</A 12/B 3>>BDC", false},
	{"<</A<61>>>BDC", "<</A(a)>>BDC", true},
	{"{1}", "[1]", false},
	{"(ab) Tj", "<6162> Tj", true},
	{"(ab) Tj", "(a\\142) Tj", true},
	{"(ab) Tj", "(ac) Tj", false},
	{"(a)(b) Tj", "(ab) Tj", false},
	{"(a b) Tj", "(ab) Tj", false},
	{"(ab", "(ab) Tj", false},
	{"(ab Tj", "(ac Tj", false},
	{"q <", "q <<", false},
	{"q <", "q <0", false},
	{"1 w", "1.000 w", true},
	{"1 w", "+1 w", true},
	{"1 w", "2 w", false},
	{"100 w", "200 w", false},
	{"1.5 w", "1.6 w", false},
	{"0 w", "-0.0 w", true},
	{"0 w", "-0 w", true},
	{"0.1 w", "0.104 w", true},
	{"-0.1 w", "-0.102 w", true},
	{"0.05 w", "0.051 w", false},
	{"-0.05 w", "-0.0501 w", true},
	{"-0.05 w", "0.05 w", false},
	{"inf w", "nan w", false},
	{"BI /W 1 ID \x01\x02 EI Q", "BI/W 1\nID \x01\x02 EI\nQ", true},
	{"BI /W 1 ID \x01\x02 EI Q", "BI /W 1 ID \x01\x03 EI Q", false},
	{"BI ID a EI Q", "BI ID a EI q", false},
	{"BI ID aEI b EI Q", "BI ID aEI c EI Q", false}, // EI within the data
	{"BI ID a EIb EI Q", "BI ID a EIc EI Q", false},
	{"BI ID a EI", "BI ID a\nEI", true},
	{"BI ID ab", "BI ID ac", false}, // data without an end
	{"BI ID 1.0 EI Q", "BI ID 1 EI Q", false},
	{"BI ID % a\n EI Q", "BI ID % b\n EI Q", false},
	{"BI ID EI EI Q", "BI ID EI Q", false},
	{"BI ID EI EI 1.0 w", "BI ID EI EI 1 w", true},
	{"BI ID aEI 1.0 EI Q", "BI ID aEI 1 EI Q", false},
	{"BI ID a EIb 1.0 EI Q", "BI ID a EIb 1 EI Q", false},
	{"<</A 1>>BDC", "/A 1>>BDC", false},
	{"(ab Tj", "ab Tj", false},
	{"BI ID  EI Q", "BI ID x EI Q", false},
}

// TestShownContent: comments, white space, and names of resources do not count. Nor does the notation of numbers and
// strings.
func TestShownContent(t *testing.T) {
	for _, tt := range shownContents {
		t.Run(fmt.Sprintf("%q and %q", tt.a, tt.b), func(t *testing.T) {
			res := compare(t, edited(t, "first\n", tt.a+"\n"), edited(t, "first\n", tt.b+"\n"))
			if same := len(res.Changes) == 0; same != tt.same || !res.Whole() {
				t.Errorf("the same: %v, want %v\n%s", same, tt.same, text(res))
			}
		})
	}
}

// TestContentStreams: the content of a page is one text, however it is divided into streams.
func TestContentStreams(t *testing.T) {
	const two = "30 0 obj << >> stream\n1 0 0 RG\nendstream\n31 0 obj << >> stream\nq\nendstream\n" +
		"32 0 obj [ 30 0 R 31 0 R ]\n33 0 obj << >> stream\n1 0 0\nendstream\n" +
		"34 0 obj << >> stream\nRG q\nendstream\n35 0 obj << >> stream\n1 0 0 RG q\nendstream"
	a := edit(t, base, append(more(two), "/Contents 18 0 R", "/Contents [ 30 0 R 31 0 R ]")...)
	for contents, same := range map[string]bool{
		"32 0 R":                 true,
		"[ 33 0 R 34 0 R ]":      true,
		"35 0 R":                 true,
		"[ 30 0 R 31 0 R null ]": true,
		"[ 31 0 R 30 0 R ]":      false,
		"30 0 R":                 false,
		"[ ]":                    false,
		"null":                   false,
		"(x)":                    false,
		"11 0 R":                 false,
	} {
		t.Run(contents, func(t *testing.T) {
			res := compare(t, pdf(t, a), pdf(t, edit(t, a, "/Contents [ 30 0 R 31 0 R ]", "/Contents "+contents)))
			if (len(res.Changes) == 0) != same || !res.Whole() {
				t.Errorf("want the same: %v\n%s", same, text(res))
			}
		})
	}
}

// TestLongContent: content of more than 32 MB is an unread part.
func TestLongContent(t *testing.T) {
	const limit = 32 << 20
	// file has a page whose content is a comment, an operator, and two line ends.
	file := func(size int, operator string) []byte {
		size -= len(operator) + 2
		runs := strings.Repeat("\x81%", size/128) + string([]byte{byte(257 - size%128), '%'}) + "\x80"
		s := "30 0 obj << /Filter /RunLengthDecode >> stream\n" + runs + "\nendstream\n" +
			"31 0 obj << >> stream\n" + operator + "\nendstream"
		return edited(t, append(more(s), "/Contents 18 0 R", "/Contents [ 30 0 R 31 0 R ]")...)
	}
	if res := compare(t, file(limit, "q"), edited(t, "first\n", "q\n")); !res.Same() {
		t.Errorf("32 MB:\n%s", text(res))
	}
	const want = "unread in A: page 1, 6 0 R: the content of the page is too long to be compared\n"
	if got := text(compare(t, file(limit+1, "q"), edited(t))); got != want {
		t.Errorf("one more byte:\n%s", got)
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

// TestMoves: a page has moved if another page of a content set is before it in one file and after it in the other.
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
		var want []string
		for i, p := range listed {
			for _, q := range listed {
				if (slices.Index(before, p) < slices.Index(before, q)) != (slices.Index(after, p) < slices.Index(after, q)) {
					want = append(want, fmt.Sprintf("page set of (http://a.example/), O element %d: page %d | page %d", i,
						slices.Index(before, p)+1, slices.Index(after, p)+1))
					break
				}
			}
		}
		var got []string
		for _, c := range compare(t, file(before, listed), file(after, listed)).Changes {
			got = append(got, fmt.Sprintf("%v: %s | %s", c.Place, c.A, c.B))
		}
		if !slices.Equal(got, want) {
			t.Errorf("pages %v become %v, O has %v:\ngot  %q\nwant %q", before, after, listed, got, want)
		}
	}
}
