package restore

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/nametree/object"
)

func TestStringsIn(t *testing.T) {
	for in, want := range map[string]string{
		"(a) Tj % (b)\n<63> Tj": "ac", "%(a)": "", "% (a)\r(b)": "b", "[ (a) 1 (b) ] TJ": "ab", "<< /A (a) >>": "",
		"(a": "",
	} {
		t.Run(in, func(t *testing.T) {
			if got := string(stringsIn([]byte(in))); got != want {
				t.Errorf("stringsIn(%q) = %q, want %q", in, got, want)
			}
		})
	}
}

// TestHashOfJPEG: a line end after a JPEG file does not change the hash. Other bytes do, and so does a line end
// after other data.
func TestHashOfJPEG(t *testing.T) {
	const jpeg = "\xff\xd8data\xff\xd9"
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"a line feed":              {jpeg, jpeg + "\n", true},
		"a carriage return, too":   {jpeg + "\r\n", jpeg, true},
		"three bytes":              {jpeg, jpeg + "abc", false},
		"other data":               {jpeg, strings.Replace(jpeg, "data", "dato", 1), false},
		"samples that end like it": {jpeg[2:], jpeg[2:] + "\n", false},
	} {
		t.Run(name, func(t *testing.T) {
			var l likeness
			a, err := l.hashOf(strings.NewReader(c.a), nil)
			if err != nil {
				t.Fatal(err)
			}
			b, err := l.hashOf(iotest.OneByteReader(strings.NewReader(c.b)), nil)
			if err != nil {
				t.Fatal(err)
			}
			if (a == b) != c.same {
				t.Errorf("the hashes are %x and %x", a, b)
			}
		})
	}
}

// TestLikenesses: images are found wherever a page shows them: in its resources, forms, patterns, and the appearances
// of annotations. Images of content sets may be on no page.
func TestLikenesses(t *testing.T) {
	image := func(num int, data string) string {
		return fmt.Sprintf("%d 0 obj << /Subtype /Image /Width %d /Height 2 /ID @%c >>\nstream\n%s\nendstream\n", num,
			num, 'a'+num%10, data)
	}
	form := func(num int, resources string) string {
		return fmt.Sprintf("%d 0 obj << /Subtype /Form /Resources << %s >> >>\nstream\n \nendstream\n", num, resources)
	}
	f := parsed(t, `names: << /URLS << /Names [ (a) 20 0 R ] >> >>
20 0 obj << /S /SIS /O [ 46 0 R 47 0 R 10 0 R (x) 48 0 R ] >>
10 0 obj << /Type /Page /ID @a /Resources 50 0 R /Annots [ << /AP << /N 51 0 R >> >> << /AP << /N << /On 52 0 R /Off 99 0 R >> >> >> 7 ] >>
11 0 obj << /Type /Page /Resources << /XObject << /I 40 0 R >> >> >>
48 0 obj << /Subtype /Image >>
50 0 obj << /XObject << /I 40 0 R /F 53 0 R >> /Pattern << /P 54 0 R >> >>
54 0 obj << /PatternType 1 /Resources << /XObject << /I 45 0 R >> >> >>
stream
endstream
`+form(51, "/XObject << /I 42 0 R >>")+form(52, "/XObject << /I 43 0 R >>")+form(53, "/XObject << /I 41 0 R >>")+
		form(47, "")+image(40, "x")+image(41, "x")+image(42, "y")+image(43, "")+image(45, "z")+image(46, "x"))
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	l, err := likenessesOf(f, db)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range l.pages {
		got = append(got, fmt.Sprintf("page %d, %v: %s, images %v", p.number, p.ref, short("("+p.id+")"), p.images))
	}
	for _, im := range l.images {
		got = append(got, fmt.Sprintf("%v: %s, size %v, stored %v, shown %v", im.ref, short("("+im.id+")"), im.size,
			im.stored != hash{}, im.shown != hash{}))
	}
	slices.Sort(got[2:])
	expect(t, "pages and images", got, "page 1, 10 0 R: @a, images [40 0 R 41 0 R]\n"+
		"page 2, 11 0 R: (), images [40 0 R]\n"+
		"40 0 R: @a, size [40 2], stored true, shown true\n"+
		"41 0 R: @b, size [41 2], stored true, shown true\n"+
		"42 0 R: @c, size [42 2], stored true, shown true\n"+
		"43 0 R: @d, size [43 2], stored false, shown false\n"+
		"45 0 R: @f, size [45 2], stored true, shown true\n"+
		"46 0 R: @g, size [46 2], stored true, shown true")
	sums := map[hash]bool{}
	for _, im := range l.images {
		sums[im.stored] = true
	}
	if len(sums) != 6 {
		t.Errorf("images of different sizes have %d hashes, want 6", len(sums))
	}
	if n := len(l.ids()); n != 7 {
		t.Errorf("%d have IDs, want 7", n)
	}
}

// TestContent: pages have the same content if it differs in white space only, or is in several parts.
func TestContent(t *testing.T) {
	content := func(t *testing.T, contents string) (hash, string) {
		f := parsed(t, `60 0 obj << /Contents `+contents+` >>
61 0 obj << >>
stream
(one) Tj 1  2
endstream
62 0 obj << >>
stream
(two) Tj
endstream
63 0 obj << >>
stream
(one)
Tj 1 2 (two) Tj
endstream
64 0 obj << >>
stream
  
endstream
65 0 obj [ 61 0 R 62 0 R ]
66 0 obj << /Filter /FlateDecode >>
stream
damaged
endstream
`)
		r := f.NewReader()
		o, err := r.Get(object.Ref{Num: 60})
		if err != nil {
			t.Fatal(err)
		}
		d, _ := o.Dict()
		sum, text, err := contentOf(r, d)
		if err != nil {
			t.Fatal(err)
		}
		return sum, string(text)
	}
	whole, _ := content(t, "63 0 R")
	for name, c := range map[string]struct {
		contents, text string
		isWhole, empty bool
	}{
		"one part":            {"63 0 R", "onetwo", true, false},
		"two parts":           {"[ 61 0 R 62 0 R ]", "onetwo", true, false},
		"a list by reference": {"65 0 R", "onetwo", true, false},
		"another order":       {"[ 62 0 R 61 0 R ]", "twoone", false, false},
		"half of it":          {"61 0 R", "one", false, false},
		"blanks":              {"64 0 R", "", false, true},
		"nothing":             {"[ ]", "", false, true},
		"null":                {"null", "", false, true},
		"damaged data":        {"66 0 R", "", false, true},
		"a damaged part":      {"[ 63 0 R 66 0 R ]", "", false, true},
	} {
		t.Run(name, func(t *testing.T) {
			sum, text := content(t, c.contents)
			if (sum == whole) != c.isWhole || (sum == hash{}) != c.empty || text != c.text {
				t.Errorf("%x %q", sum, text)
			}
		})
	}
}

// TestHashFails: an image whose data cannot be read has no hash, and the error is that of the disk.
func TestHashFails(t *testing.T) {
	disk := errors.New("disk")
	var l likeness
	if _, err := l.hashOf(iotest.ErrReader(disk), nil); !errors.Is(err, disk) {
		t.Errorf("the error is %v", err)
	}
	if _, err := l.hashOf(nil, disk); !errors.Is(err, disk) {
		t.Errorf("the error is %v", err)
	}
	damaged := &object.Malformed{Reason: "x"}
	if sum, err := l.hashOf(io.MultiReader(strings.NewReader("x"), iotest.ErrReader(damaged)),
		nil); err != nil || sum != (hash{}) {
		t.Errorf("the hash is %x, the error is %v", sum, err)
	}
}
