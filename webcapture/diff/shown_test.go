package diff_test

import (
	"strings"
	"testing"
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
