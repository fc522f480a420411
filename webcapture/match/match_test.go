package match

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func TestMain(m *testing.M) { webcapturetest.Run(m) }

// read reads a file from the text of its objects.
func read(t *testing.T, text string) *Document {
	t.Helper()
	doc, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(t.Context(), doc.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Read(f, db)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// page returns the text of a page with content and images, and of its content stream.
func page(num int, id, content string, images ...int) string {
	var resources, tag strings.Builder
	for i, im := range images {
		fmt.Fprintf(&resources, "/I%d %d 0 R ", i, im)
	}
	if id != "" {
		fmt.Fprintf(&tag, "/ID (%s)", id)
	}
	return fmt.Sprintf("%d 0 obj << /Type /Page %v /Contents %d 0 R /Resources << /XObject << %v >> >> >>\n", num, &tag,
		num+100, &resources) + fmt.Sprintf("%d 0 obj << >>\nstream\n%s\nendstream\n", num+100, content)
}

// image returns the text of an image.
func image(num int, id, data string) string {
	tag := ""
	if id != "" {
		tag = "/ID (" + id + ")"
	}
	return fmt.Sprintf("%d 0 obj << /Subtype /Image /Width 1 /Height 1 %s >>\nstream\n%s\nendstream\n", num, tag, data)
}

// pageSet returns the text of a database with one page set.
func pageSet(num int, members string) string {
	return fmt.Sprintf("names: << /URLS << /Names [ (u) %d 0 R ] >> >>\n%d 0 obj << /S /SPS /O [ %s ] >>\n", num, num,
		members)
}

// TestPairs: pages match by the first property that both files have, if only they have it. Images match by their data.
func TestPairs(t *testing.T) {
	for name, c := range map[string]struct {
		original, file string
		want           string // pairs of numbers, and unmatched pages of the original
	}{
		"ID and content": {page(10, "a", "1 w") + page(11, "b", "1 w"), page(20, "b", "1 w") + page(21, "a", "1 w"),
			"10=21 11=20"},
		"content": {page(10, "a", "1 w") + page(11, "b", "2 w"), page(20, "", "2.0  w") + page(21, "", "1 w"),
			"10=21 11=20"},
		"one content, two pages in the file": {page(10, "a", "1 w"), page(20, "a", "1 w") + page(21, "a", "1 w"),
			"unmatched 10"},
		"one content, a copy with the ID in no content set": {page(10, "a", "1 w"),
			pageSet(50, "20 0 R") + page(20, "b", "1 w") + page(21, "a", "1 w"), "10=20"},
		"one content, two pages in content sets": {page(10, "a", "1 w"),
			pageSet(50, "20 0 R 21 0 R") + page(20, "b", "1 w") + page(21, "a", "1 w"), "unmatched 10"},
		"one content, a copy in the original": {pageSet(50, "10 0 R") + page(10, "a", "1 w") + page(11, "a", "1 w"),
			page(20, "", "1 w"), "unmatched 10 unmatched 11"},
		"one content, one of two pages": {page(10, "a", "1 w") + page(11, "b", "1 w"), page(20, "b", "1 w"),
			"11=20 unmatched 10"},
		"one content, a copy of one of two pages": {page(10, "a", "1 w") + page(11, "b", "1 w"),
			page(20, "a", "1 w") + page(21, "a", "1 w"), "unmatched 10 unmatched 11"},
		"the ID of a page with the content of another": {page(10, "a", "1 w") + page(11, "b", "2 w"),
			page(20, "b", "1 w") + page(21, "c", "3 w"), "10=20 unmatched 11"},
		"one content, two pages of one ID": {page(10, "a", "1 w") + page(11, "a", "1 w"),
			page(20, "", "1 w") + page(21, "", "1 w"), "10=20 11=21"},
		"one content, two pages of two IDs": {page(10, "a", "1 w") + page(11, "b", "1 w"),
			page(20, "", "1 w") + page(21, "", "1 w"), "unmatched 10 unmatched 11"},
		"text":          {page(10, "a", "(text) Tj"), page(20, "", "[(te) 3 (xt)] TJ"), "10=20"},
		"a little text": {page(10, "a", "(tex) Tj"), page(20, "", "[(te) 3 (x)] TJ"), "unmatched 10"},
		"ID":            {page(10, "a", "1 w"), page(20, "a", "2 w"), "10=20"},
		"ID of two pages": {page(10, "a", "1 w") + page(11, "a", "2 w"), page(20, "a", "3 w") + page(21, "a", "4 w"),
			"unmatched 10 unmatched 11"},
		"names of images": {page(10, "", "/I0 Do /I1 Do", 30, 31) + image(30, "", "x") + image(31, "", "y"),
			page(20, "", "/I1 Do /I0 Do", 41, 40) + image(40, "", "x") + image(41, "", "y"), "10=20 30=40 31=41"},
		"other images": {page(10, "a", "/I0 Do", 30) + page(11, "b", "/I0 Do", 31) + image(30, "", "x") +
			image(31, "", "y"), page(20, "", "/I0 Do", 40) + page(21, "", "/I0 Do", 41) + image(40, "", "y") +
			image(41, "", "x"), "10=21 11=20 30=41 31=40"},
		"the set of images": {page(10, "a", "1 w /I0 Do", 30) + image(30, "", "x"),
			page(20, "", "2 w /I0 Do", 40) + image(40, "", "x"), "10=20 30=40"},
		"copies of an image": {page(10, "a", "1 w", 30) + image(30, "i", "x"),
			page(20, "", "1 w", 40) + image(40, "", "x") + page(21, "", "2 w", 41) + image(41, "", "x"),
			"10=20 30=40 30=41"},
		"equal images of two IDs": {page(10, "a", "1 w", 30, 31) + image(30, "i", "x") + image(31, "j", "x"),
			page(20, "", "1 w", 40, 41) + image(40, "j", "x") + image(41, "", "x"), "10=20 31=40"},
		"equal images of one ID": {page(10, "a", "1 w", 30, 31) + image(30, "i", "x") + image(31, "i", "x"),
			page(20, "", "1 w", 40) + image(40, "", "x"), "10=20 30=40 31=40"},
		"images of other sizes": {page(10, "", "1 w", 30, 31) + image(30, "i", "x") +
			strings.Replace(image(31, "j", "x"), "/Width 1", "/Width 2", 1), page(20, "", "1 w", 40, 41) + image(40, "", "x") +
			strings.Replace(image(41, "", "x"), "/Width 1", "/Width 50 0 R", 1) + "50 0 obj 2\n", "10=20 30=40 31=41"},
		"no content": {page(10, "", " "), page(20, "", " "), "unmatched 10"},
	} {
		t.Run(name, func(t *testing.T) {
			original, file := read(t, c.original), read(t, c.file)
			p := Pairs(original, file)
			var got []string
			for _, pg := range original.Pages {
				for _, is := range p.Found(pg.Ref) {
					got = append(got, fmt.Sprintf("%d=%d", pg.Ref.Num, is.Num))
				}
			}
			slices.SortFunc(original.Images, func(a, b *Image) int { return a.Ref.Compare(b.Ref) })
			for _, im := range original.Images {
				for _, is := range p.Found(im.Ref) {
					got = append(got, fmt.Sprintf("%d=%d", im.Ref.Num, is.Num))
				}
			}
			for _, pg := range p.Unmatched {
				got = append(got, fmt.Sprintf("unmatched %d", pg.Ref.Num))
			}
			if text := strings.Join(got, " "); text != c.want {
				t.Errorf("the pairs are %s, want %s", text, c.want)
			}
			if whole := len(p.Unmatched) == 0 && len(original.Pages) == len(file.Pages); p.Whole != whole {
				t.Errorf("whole: %v, want %v", p.Whole, whole)
			}
		})
	}
}

// TestCandidates: an unmatched page may be each unmatched page of the file with a common property.
func TestCandidates(t *testing.T) {
	original := read(t, page(10, "a", "1 w")+page(11, "b", "2 w")+page(12, "", "3 w"))
	file := read(t, page(20, "a", "1 w")+page(21, "a", "1 w")+page(22, "", "4 w"))
	got := Pairs(original, file).Candidates
	if len(got) != 1 || len(got[original.Pages[0]]) != 2 || got[original.Pages[0]][1].Number != 2 {
		t.Errorf("the candidates are %v", got)
	}
}

// TestContent: pages have the same content if it differs only in white space, notation, and parts.
func TestContent(t *testing.T) {
	const streams = `61 0 obj << >>
stream
(one) Tj 1  2
endstream
62 0 obj << >>
stream
(two) Tj
endstream
63 0 obj << >>
stream
<6F6e65>
Tj 1.00 2 (t\167o) Tj % comment (x)
endstream
64 0 obj << >>
stream
  
endstream
65 0 obj [ 61 0 R 62 0 R ]
66 0 obj << /Filter /FlateDecode >>
stream
damaged
endstream
`
	content := func(contents string) (operators, text Hash) {
		d := read(t, "10 0 obj << /Type /Page /Contents "+contents+" >>\n"+streams)
		return d.Pages[0].Content, d.traits[0].text
	}
	whole, wholeText := content("63 0 R")
	for name, c := range map[string]struct {
		contents              string
		same, sameText, empty bool
	}{
		"two parts":           {"[ 61 0 R 62 0 R ]", true, true, false},
		"a list by reference": {"65 0 R", true, true, false},
		"another order":       {"[ 62 0 R 61 0 R ]", false, false, false},
		"half of it":          {"61 0 R", false, false, false},
		"blanks":              {"64 0 R", false, false, true},
		"nothing":             {"[ ]", false, false, true},
		"null":                {"null", false, false, true},
		"damaged data":        {"66 0 R", false, false, true},
		"a damaged part":      {"[ 63 0 R 66 0 R ]", false, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			operators, text := content(c.contents)
			if (operators == whole) != c.same || (text == wholeText) != c.sameText || (operators == Hash{}) != c.empty {
				t.Errorf("operators %x, text %x", operators, text)
			}
		})
	}
}

// TestForms: a page that paints a form has the content of the form.
func TestForms(t *testing.T) {
	form := func(data string) Hash {
		d := read(t, page(10, "", "/I0 Do", 30)+"30 0 obj << /Subtype /Form >>\nstream\n"+data+"\nendstream\n")
		return d.Pages[0].Content
	}
	if form("1 w") != form("1.0 w") || form("1 w") == form("2 w") {
		t.Error("the hashes are wrong")
	}
}

// TestRead: images are found in resources, forms, patterns, and the appearances of annotations. Images of content sets
// may be on no page.
func TestRead(t *testing.T) {
	form := func(num int, resources string) string {
		return fmt.Sprintf("%d 0 obj << /Subtype /Form /Resources << %s >> >>\nstream\n \nendstream\n", num, resources)
	}
	d := read(t, `names: << /URLS << /Names [ (a) 20 0 R ] >> >>
20 0 obj << /S /SIS /O [ 46 0 R 47 0 R 10 0 R (x) 48 0 R ] >>
10 0 obj << /Type /Page /ID (p) /Resources 50 0 R /Annots [ << /AP << /N 51 0 R >> >> << /AP << /N << /On 52 0 R /Off 99 0 R >> >> >> 7 ] >>
11 0 obj << /Type /Page /Resources << /XObject << /I 40 0 R >> >> >>
48 0 obj << /Subtype /Image >>
50 0 obj << /XObject << /I 40 0 R /F 53 0 R >> /Pattern << /P 54 0 R >> >>
54 0 obj << /PatternType 1 /Resources << /XObject << /I 45 0 R >> >> >>
stream
endstream
`+form(51, "/XObject << /I 42 0 R >>")+form(52, "/XObject << /I 43 0 R >>")+form(53, "/XObject << /I 41 0 R >>")+
		form(47, "")+image(40, "a", "x")+image(41, "", "x")+image(42, "", "y")+image(43, "", "")+image(45, "", "z")+
		image(46, "", "x"))
	var got []string
	for i, pg := range d.Pages {
		got = append(got, fmt.Sprintf("page %d, %v: %q, images %v, %d uses of 40", pg.Number, pg.Ref, pg.ID,
			d.traits[i].images, d.Uses()[object.Ref{Num: 40}]))
	}
	for _, im := range d.Images {
		got = append(got, fmt.Sprintf("%v: %q, data %v", im.Ref, im.ID, im.Data != Hash{}))
	}
	slices.Sort(got[2:])
	want := `page 1, 10 0 R: "p", images [40 0 R 41 0 R], 2 uses of 40
page 2, 11 0 R: "", images [40 0 R], 2 uses of 40
40 0 R: "a", data true
41 0 R: "", data true
42 0 R: "", data true
43 0 R: "", data false
45 0 R: "", data true
46 0 R: "", data true`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("there is\n%s\nwant\n%s", text, want)
	}
	if shown := slices.SortedFunc(maps.Keys(Pairs(d, d).Shown()), object.Ref.Compare); fmt.Sprint(shown) !=
		"[40 0 R 41 0 R 42 0 R 43 0 R 45 0 R]" {
		t.Errorf("pages show %v", shown)
	}
	if d.Image(object.Ref{Num: 46}) == nil || d.Image(object.Ref{Num: 47}) != nil || d.Page(object.Ref{Num: 40}) != nil {
		t.Error("an object has the wrong kind")
	}
}

// TestJPEGTrimmer: a line end after a JPEG file does not count. Other bytes do, and so does a line end after other
// data.
func TestJPEGTrimmer(t *testing.T) {
	const jpeg = "\xff\xd8data\xff\xd9"
	trimmed := func(r io.Reader) string {
		var b strings.Builder
		w := jpegTrimmer{to: &b}
		if _, err := io.Copy(&w, r); err != nil {
			t.Fatal(err)
		}
		return b.String() + string(w.end())
	}
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
			a, b := trimmed(strings.NewReader(c.a)), trimmed(iotest.OneByteReader(strings.NewReader(c.b)))
			if (a == b) != c.same {
				t.Errorf("%q and %q", a, b)
			}
		})
	}
}

// TestValue: values have the same hash if they mean the same, and only then.
func TestValue(t *testing.T) {
	value := func(text string) string {
		d := read(t, "60 0 obj "+text+`
61 0 obj 1
62 0 obj [ 61 0 R ]
63 0 obj << /A 1 >>
64 0 obj << >>
stream
data
endstream
`)
		sum, err := d.AppendValue(nil, object.MakeRef(object.Ref{Num: 60}))
		if err != nil {
			t.Fatal(err)
		}
		return string(sum)
	}
	nested := func(n int) string { return strings.Repeat("[ ", n) + strings.Repeat("] ", n) }
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"numbers":                    {"1", "1.0", true},
		"other numbers":              {"1", "1.5", false},
		"a reference":                {"1", "61 0 R", true},
		"a reference in an array":    {"[ [ 1 ] ]", "[ 62 0 R ]", true},
		"two elements":               {"[ 1 2 ]", "[ 12 ]", false},
		"nested arrays":              {"[ [ 1 ] 2 ]", "[ [ 1 2 ] ]", false},
		"an array, and its element":  {"[ 1 ]", "1", false},
		"strings in other notation":  {"(ab)", "<6162>", true},
		"a string and a name":        {"(ab)", "/ab", false},
		"entries in another order":   {"<< /A 1 /B 2 >>", "<< /B 2 /A 1 >>", true},
		"a null entry":               {"<< /A 1 /B null >>", "<< /A 1 >>", true},
		"a null entry, by reference": {"<< /A 1 /B 99 0 R >>", "<< /A 1 >>", true},
		"a null element":             {"[ 1 null ]", "[ 1 ]", false},
		"nested dictionaries":        {"<< /A << /B 1 >> /C 2 >>", "<< /A << /B 1 /C 2 >> >>", false},
		"a stream, and its data":     {"[ 64 0 R ]", "[ (data) ]", true},
		"a stream, and other data":   {"[ 64 0 R ]", "[ (date) ]", false},
		"true and false":             {"true", "false", false},
		"a dictionary by reference":  {"<< /C << /A 1 >> >>", "<< /C 63 0 R >>", true},
		"deep arrays":                {nested(maxNesting), nested(maxNesting), true},
	} {
		t.Run(name, func(t *testing.T) {
			if same := value(c.a) == value(c.b); same != c.same {
				t.Errorf("the values are the same: %v", same)
			}
		})
	}
}

// TestValueLimits: a value that is too large, nests too deeply, or is unreadable has no hash.
func TestValueLimits(t *testing.T) {
	for name, text := range map[string]string{
		"too deep":        strings.Repeat("[ ", maxNesting+1) + strings.Repeat("] ", maxNesting+1),
		"endless":         "[ 60 0 R ]",
		"an odd filter":   "<< /Filter /New >>\nstream\nx\nendstream",
		"endless entries": "<< /A 60 0 R >>",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := read(t, "60 0 obj "+text).AppendValue(nil, object.MakeRef(object.Ref{Num: 60}))
			if !object.IsMalformed(err) {
				t.Errorf("the error is %v", err)
			}
		})
	}
}

// TestSharedContentIsPaidOnce: the content of many pages is read once, if it is in the same streams.
func TestSharedContentIsPaidOnce(t *testing.T) {
	paid := func(pages int) int64 {
		d := read(t, page(10, "", strings.Repeat("1 w ", 10_000))) // the content of each page
		before, _ := d.File.Meter().Spent()
		for range pages {
			if _, err := d.contentOf([]object.Ref{{Num: 10}, {Num: 11}}); err != nil {
				t.Fatal(err)
			}
		}
		d.Reader.Settle()
		after, _ := d.File.Meter().Spent()
		return after - before
	}
	if one, many := paid(1), paid(100); many != one {
		t.Errorf("one page costs %d, and a hundred cost %d", one, many)
	}
}

// TestDocumentsOverTheMeter: the error of a file that exceeds its meter is not taken for damage.
func TestDocumentsOverTheMeter(t *testing.T) {
	d := read(t, page(10, "", "1 w"))
	d.File.Meter().Pay(1 << 60)
	if _, err := Read(d.File, d.Database); err != (meter.Over{}) {
		t.Errorf("the error is %v", err)
	}
}
