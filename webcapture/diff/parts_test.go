package diff_test

import (
	"fmt"
	"strings"
	"testing"
)

// more is put before object 10 of base to add objects.
func more(objects string) []string { return []string{"\n10 0 obj", "\n" + objects + "\n10 0 obj"} }

// nested returns an array within n-1 arrays.
func nested(n int, inner string) string {
	return strings.Repeat("[ ", n) + inner + strings.Repeat(" ]", n)
}

// TestNesting: values that nest too deeply are not compared.
func TestNesting(t *testing.T) {
	for _, tt := range []struct {
		name, value string
		whole       bool
	}{
		// the value is within three dictionaries
		{"29 arrays", nested(29, ""), true},
		{"30 arrays", nested(30, ""), false},
		{"29 dictionaries", strings.Repeat("<< /A ", 28) + "<< >>" + strings.Repeat(" >>", 28), true},
		{"30 dictionaries", strings.Repeat("<< /A ", 29) + "<< >>" + strings.Repeat(" >>", 29), false},
		{"a loop of dictionaries", "<< /A 30 0 R >>", false},
		{"a loop of arrays", "[ 30 0 R ]", false},
		{"two MB", "[ " + strings.Repeat("31 0 R ", 11) + "]", true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			objects := fmt.Sprintf("30 0 obj %s\n31 0 obj (%s)", tt.value, strings.Repeat("x", 200_000))
			data := edited(t, append(more(objects), "/X true", "/X 30 0 R")...)
			if res := compare(t, data, data); res.Whole() != tt.whole || len(res.Changes) > 0 {
				t.Errorf("whole %v, want %v:\n%s", res.Whole(), tt.whole, text(res))
			}
		})
	}
}

// TestIncomparableImages: an image that cannot be compared is one unread part, even if it is in several places.
func TestIncomparableImages(t *testing.T) {
	const form = "/Width 2 /Height 2 /BitsPerComponent 8 /Filter "
	image := func(num, filter, data string) string {
		return num + " 0 obj << /Subtype /Image " + form + filter + " >> stream\n" + data + "\nendstream\n"
	}
	file := func(filter, data string) string {
		return edit(t, base, append(more(image("30", filter, data)+image("31", filter, data)),
			"/O [ 9 0 R ]", "/O [ 30 0 R 31 0 R 30 0 R 31 0 R ]")...)
	}
	const reason = "R: the image cannot be compared: the two files store its samples in different forms\n"
	const both = "unread in B: object 30 0 " + reason + "unread in B: object 31 0 " + reason
	for _, tt := range []struct{ filter, data, want string }{
		{"/ASCIIHexDecode", "30 31>", ""},
		{"[ /ASCIIHexDecode ]", "30 31>", ""},
		{"[ /ASCIIHexDecode /ASCIIHexDecode ]", "333033313E>", ""},
		{"[ /ASCIIHexDecode /CCITTFaxDecode ]", "3031>", both},
		{"[ /ASCIIHexDecode /CCITTFaxDecode ]", "30 31>", both},
		{"/JBIG2Decode", "30 31>", both},
		{"[ /JPXDecode ]", "30 31>", both},
	} {
		t.Run(tt.filter+" "+tt.data, func(t *testing.T) {
			got := text(compare(t, pdf(t, file("/ASCIIHexDecode", "3031>")), pdf(t, file(tt.filter, tt.data))))
			if got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}
