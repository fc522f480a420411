package webcapture_test

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// resources are those of a page that shows images in every way: 20 and 21 directly, 22 and 20 in a form, 23 in a form
// of that form, 24 in a pattern, and 25 in a form of the pattern. The form 30 refers to itself.
const resources = `5 0 obj << /XObject 6 0 R /Pattern << /P 40 0 R /Q (x) >> >>
6 0 obj << /A 20 0 R /B 21 0 R /C 20 0 R /D 30 0 R /E (x) /F << /Subtype /Image >> /G 50 0 R >>
20 0 obj << /Subtype /Image >>
21 0 obj << /Subtype 7 0 R >>
7 0 obj /Image
22 0 obj << /Subtype /Image >>
23 0 obj << /Subtype /Image >>
24 0 obj << /Subtype /Image >>
25 0 obj << /Subtype /Image >>
30 0 obj << /Subtype /Form /Resources << /XObject << /A 22 0 R /B 20 0 R /C 30 0 R /D 31 0 R >> >> >>
31 0 obj << /Subtype /Form /Resources 8 0 R >>
8 0 obj << /XObject << /A 23 0 R >> >>
40 0 obj << /PatternType 1 /Resources << /XObject << /A 24 0 R /B 41 0 R /C 20 0 R >> >> >>
41 0 obj << /Subtype /Form /Resources << /XObject << /A 25 0 R >> /Pattern << /P 40 0 R >> >> >>
50 0 obj << /Subtype /PS /Resources << /XObject << /A 51 0 R >> >> >>
51 0 obj << /Subtype /Image >>
`

// numbersOf returns the object numbers that a walk yields, sorted, with the number of errors at the end.
func numbersOf(walk iter.Seq2[object.Ref, error]) string {
	var numbers []string
	errs := 0
	for ref, err := range walk {
		if err != nil {
			errs++
			continue
		}
		numbers = append(numbers, fmt.Sprint(ref.Num))
	}
	slices.Sort(numbers)
	if errs > 0 {
		numbers = append(numbers, fmt.Sprintf("%d unread", errs))
	}
	return strings.Join(numbers, " ")
}

// Images yields each image of a page and of its forms once. PatternImages yields those of patterns.
func TestImages(t *testing.T) {
	for name, l := range layouts {
		t.Run(name, func(t *testing.T) {
			f := open(t, resources, l)
			r := f.NewReader()
			page := object.MakeRef(object.Ref{Num: 5})
			for range 2 { // the second time from the cache
				before := spent(f, r)
				if got, want := numbersOf(r.Images(page)), "20 21 22 23"; got != want {
					t.Errorf("images %s, want %s", got, want)
				}
				if got, want := numbersOf(r.PatternImages(page)), "20 24 25"; got != want {
					t.Errorf("images of patterns %s, want %s", got, want)
				}
				if n := spent(f, r) - before; n < int64(len(resources)/2) { // a shared form is work for each page
					t.Errorf("%d units of work", n)
				}
			}
			if got := numbersOf(r.Images(object.MakeRef(object.Ref{Num: 99}))); got != "" {
				t.Errorf("images of nothing: %s", got)
			}
		})
	}
}

// Images and forms that pages share are read once.
func TestSharedXObjectsAreReadOnce(t *testing.T) {
	const size = 10_000
	pad := " /X (" + strings.Repeat("x", size) + ") >>\n"
	f := open(t, "5 0 obj << /XObject << /A 20 0 R /B 21 0 R >> >>\n20 0 obj << /Subtype /Image"+pad+
		"21 0 obj << /Subtype /Form /Resources << >>"+pad, webcapturetest.Layout{})
	r := f.NewReader()
	for i, want := range []int64{2, 0} {
		before := spent(f, r)
		numbersOf(r.Images(object.MakeRef(object.Ref{Num: 5})))
		if n := spent(f, r) - before; n/size != want {
			t.Errorf("time %d costs %d units", i+1, n)
		}
	}
}

// An unreadable part is an error, and the images elsewhere are found.
func TestImagesOfBrokenResources(t *testing.T) {
	const broken = "9 0 obj << /Broken ] >>\n20 0 obj << /Subtype /Image >>\n"
	for page, want := range map[string][2]string{
		"9 0 R": {"1 unread", "1 unread"},
		"<< /XObject 9 0 R /Pattern << /P 10 0 R >> >>":                 {"1 unread", "1 unread 20"},
		"<< /XObject << /A 9 0 R /B 20 0 R >> >>":                       {"1 unread 20", "1 unread"},
		"<< /XObject << /A 11 0 R /B 20 0 R >> >>":                      {"1 unread 20", "1 unread"},
		"<< /XObject << /A 12 0 R /B 20 0 R >> >>":                      {"1 unread 20", "1 unread"},
		"<< /XObject << /B 20 0 R >> /Pattern 9 0 R >>":                 {"20", "1 unread"},
		"<< /XObject << /B 20 0 R >> /Pattern << /A 9 0 R >> >>":        {"20", "1 unread"},
		"<< /XObject [ 20 0 R ] /Pattern (x) >>":                        {"", ""},
		"<< /Pattern << /P << /Resources << /XObject << >> >> >> >> >>": {"", ""},
	} {
		t.Run(page, func(t *testing.T) {
			r := open(t, "5 0 obj "+page+"\n"+broken+
				"10 0 obj << /PatternType 1 /Resources << /XObject << /A 20 0 R >> >> >>\n"+
				"11 0 obj << /Subtype 9 0 R >>\n12 0 obj << /Subtype /Form /Resources 9 0 R >>\n",
				webcapturetest.Layout{}).NewReader()
			o, err := r.Get(object.Ref{Num: 5})
			if err != nil {
				t.Fatal(err)
			}
			if ref, ok := o.Ref(); ok {
				o = object.MakeRef(ref)
			}
			sorted := func(s string) string {
				parts := strings.Split(s, " ")
				slices.Sort(parts)
				return strings.Join(parts, " ")
			}
			if got := numbersOf(r.Images(o)); sorted(got) != sorted(want[0]) {
				t.Errorf("images %q, want %q", got, want[0])
			}
			if got := numbersOf(r.PatternImages(o)); sorted(got) != sorted(want[1]) {
				t.Errorf("images of patterns %q, want %q", got, want[1])
			}
		})
	}
}

// Callers may stop at any image, and at any error.
func TestImagesStop(t *testing.T) {
	r := open(t, resources+"60 0 obj << /XObject 61 0 R /Pattern << /A 61 0 R /P 40 0 R >> >>\n61 0 obj << /Broken ] >>\n"+
		"62 0 obj << /XObject << /A 61 0 R /B 20 0 R /C 63 0 R >> >>\n63 0 obj << /Subtype /Form /Resources 61 0 R >>\n",
		webcapturetest.Layout{}).NewReader()
	for _, num := range []uint32{5, 60, 61, 62} {
		o := object.MakeRef(object.Ref{Num: num})
		for name, walk := range map[string]iter.Seq2[object.Ref, error]{"images": r.Images(o),
			"patterns": r.PatternImages(o)} {
			all := 0
			for range walk {
				all++
			}
			for enough := 1; enough <= all; enough++ {
				n := 0
				for range walk {
					if n++; n == enough {
						break
					}
				}
				if n != enough {
					t.Errorf("object %d, %s: %d of %d, want %d", num, name, n, all, enough)
				}
			}
		}
	}
}

// Commands are read from any value; the fields of other objects are empty.
func TestCommand(t *testing.T) {
	r := open(t, "5 0 obj << /URL 6 0 R /L 2 >>\n6 0 obj (http://a/)\n7 0 obj << /Broken ] >>\n8 0 obj << /URL 7 0 R >>\n"+
		"9 0 obj << /URL (u) /P 7 0 R >>\n10 0 obj << /URL (u) >> stream\nx\nendstream\n",
		webcapturetest.Layout{}).NewReader()
	for num, want := range map[uint32]string{5: "http://a/", 6: "", 10: "", 7: "error", 8: "error", 9: "error", 99: ""} {
		t.Run(fmt.Sprint(num), func(t *testing.T) {
			c, err := r.Command(object.MakeRef(object.Ref{Num: num}))
			got := string(c.URL.Bytes)
			if err != nil {
				got = "error"
			}
			if got != want || c.Index != -1 || err != nil && !object.IsMalformed(err) {
				t.Errorf("%q, index %d, %v, want %q", got, c.Index, err, want)
			}
		})
	}
}

// spent returns the work that was paid for a file, with that through r.
func spent(f *webcapture.File, r *webcapture.Reader) int64 {
	r.Settle()
	n, _ := f.Meter().Spent()
	return n
}
