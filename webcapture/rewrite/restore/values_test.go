package restore

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// normalOf returns the normal form of object 60 of a file with some objects.
func normalOf(t *testing.T, text string) (string, bool) {
	t.Helper()
	f := parsed(t, "60 0 obj "+text+`
61 0 obj 1
62 0 obj [ 61 0 R ]
63 0 obj << /A 1 >>
64 0 obj << >>
stream
data
endstream
65 0 obj << /B 1 >>
stream
data
endstream
66 0 obj [ 66 0 R ]
`)
	got, ok, err := normal(f.NewReader(), object.MakeRef(object.Ref{Num: 60}))
	if err != nil {
		t.Fatal(err)
	}
	return got, ok
}

// TestNormal: values have the same text if they are equal, and only then.
func TestNormal(t *testing.T) {
	for name, c := range map[string]struct {
		a, b string
		same bool
	}{
		"numbers":                      {"1", "1.0", true},
		"other numbers":                {"1", "1.5", false},
		"a reference":                  {"1", "61 0 R", true},
		"a reference in an array":      {"[ [ 1 ] ]", "[ 62 0 R ]", true},
		"two elements":                 {"[ 1 2 ]", "[ 12 ]", false},
		"nested arrays":                {"[ [ 1 ] 2 ]", "[ [ 1 2 ] ]", false},
		"an array, and its element":    {"[ 1 ]", "1", false},
		"strings in other notation":    {"(ab)", "<6162>", true},
		"a string and a name":          {"(ab)", "/ab", false},
		"entries in another order":     {"<< /A 1 /B 2 >>", "<< /B 2 /A 1 >>", true},
		"a first entry that is null":   {"<< /A null /B 1 >>", "<< /B 1 >>", true},
		"a null entry":                 {"<< /A 1 /B null >>", "<< /A 1 >>", true},
		"a null entry, by reference":   {"<< /A 1 /B 99 0 R >>", "<< /A 1 >>", true},
		"a null element":               {"[ 1 null ]", "[ 1 ]", false},
		"nested dictionaries":          {"<< /A << /B 1 >> /C 2 >>", "<< /A << /B 1 /C 2 >> >>", false},
		"other keys":                   {"<< /A 1 >>", "<< /B 1 >>", false},
		"streams with other entries":   {"[ 64 0 R ]", "[ 65 0 R ]", true},
		"a stream, and its data":       {"[ 64 0 R ]", "[ (data) ]", true},
		"a stream, and other data":     {"[ 64 0 R ]", "[ (date) ]", false},
		"true and false":               {"true", "false", false},
		"a dictionary and a reference": {"<< /C << /A 1 >> >>", "<< /C 63 0 R >>", true},
	} {
		t.Run(name, func(t *testing.T) {
			a, okA := normalOf(t, c.a)
			b, okB := normalOf(t, c.b)
			if (a == b) != c.same || !okA || !okB {
				t.Errorf("%q and %q, whole: %v, %v", a, b, okA, okB)
			}
		})
	}
}

// TestNormalOfDeepValues: a value that nests too deeply cannot be compared.
func TestNormalOfDeepValues(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("[ ", n) + strings.Repeat("] ", n) }
	for name, c := range map[string]struct {
		text string
		ok   bool
	}{
		"deep":             {nested(maxDepth), true},
		"too deep":         {nested(maxDepth + 1), false},
		"endless":          {"66 0 R", false},
		"an endless entry": {"<< /A 66 0 R >>", false},
	} {
		t.Run(name, func(t *testing.T) {
			if text, ok := normalOf(t, c.text); ok != c.ok {
				t.Errorf("whole: %v, %d bytes", ok, len(text))
			}
		})
	}
}

// TestCopied: a restored content set gets copies of the objects of the original to which it refers.
func TestCopied(t *testing.T) {
	nested := func(n int, inner string) string { return strings.Repeat("[", n) + inner + strings.Repeat("]", n) }
	for name, c := range map[string]struct{ private, want string }{
		"direct values":         {"[ 1 << /A (x) >> /N ]", "[1 <</A (x)>> /N]"},
		"a reference":           {"60 0 R", "12 0 R"},
		"an object twice":       {"[ 60 0 R 60 0 R ]", "[12 0 R 12 0 R]"},
		"a page of the file":    {"10 0 R", "5 0 R"},
		"an image of the file":  {"[ 12 0 R ]", "[7 0 R]"},
		"a page that is gone":   {"[ 11 0 R ]", "[null]"},
		"the page tree":         {"[ 68 0 R ]", "[null]"},
		"nothing":               {"[ 99 0 R ]", "[null]"},
		"a stream":              {"61 0 R", "(posted)"},
		"references in a cycle": {"62 0 R", "12 0 R"},
		"a command":             {"41 0 R", "12 0 R"},
		"too deep":              {nested(maxDepth, "1"), nested(maxDepth, "null")},
		"deep":                  {nested(maxDepth-1, "1"), nested(maxDepth-1, "1")},
	} {
		t.Run(name, func(t *testing.T) {
			const objects = `60 0 obj << /B 67 0 R >>
61 0 obj << >>
stream
posted
endstream
62 0 obj [ 63 0 R ]
63 0 obj [ 62 0 R ]
67 0 obj 7
68 0 obj << /Type /Pages /Kids [ ] >>
`
			r := restored(t, parsed(t, capture+objects, "/T (title)", "/Private "+c.private, "/C 41 0 R", ""),
				parsed(t, bare, "0 1 0", "0 9 0", "9 0 R /Resources << /XObject << /I 7 0 R >> >>", "9 0 R"), nil)
			if len(r.Sets) != 2 {
				t.Fatalf("%d sets", len(r.Sets))
			}
			_, got, _ := strings.Cut(r.object(t, r.Sets[0].Num), "/Private ")
			if got, _, _ = strings.Cut(got, " /S /SPS"); got != c.want {
				t.Errorf("there is %s, want %s", got, c.want)
			}
			switch name {
			case "a reference", "an object twice":
				expect(t, "the copy", []string{r.object(t, 12), r.object(t, 13)}, "/B 13 0 R\n7")
			case "references in a cycle":
				expect(t, "the copies", []string{r.object(t, 12), r.object(t, 13)}, "[13 0 R]\n[12 0 R]")
			}
		})
	}
}

// TestIntact: the same database with other object numbers, notations, and orders of entries needs no restoration, even
// if its content sets cannot be distinguished.
func TestIntact(t *testing.T) {
	const same = "/S /SPS /ID @a /O [ ] /SI << /AU << /U (http://a/) /C [ [ (http://a/0) ] ] >> /TS 1 /C 41 0 R >> >>"
	var sets, refs strings.Builder
	for i := range maxAlike + 1 {
		num := string(rune('1'+i/10)) + string(rune('0'+i%10)) + "0"
		sets.WriteString(num + " 0 obj << " + same + "\n")
		refs.WriteString(" " + num + " 0 R")
	}
	text := strings.NewReplacer("(http://a/) 20 0 R", "(http://a/) [ 20 0 R "+refs.String()+" ]",
		"@a 20 0 R", "@a [ 20 0 R "+refs.String()+" ]", "/T (title)", "/Private [ 1 [ (x) ] << /A true >> null ]").
		Replace(capture) + sets.String()
	moved := strings.NewReplacer("(x)", "<78>", "/S /SPS /ID @a", "/ID @a /S /SPS", "20 0 R", "920 0 R",
		"20 0 obj", "920 0 obj",
		"11 0 R", "911 0 R", "11 0 obj", "911 0 obj", "10 0 R", "910 0 R", "10 0 obj", "910 0 obj").Replace(text)
	moved = strings.ReplaceAll(strings.ReplaceAll(moved, "1910 0", "110 0"), "1920 0", "120 0")
	r := restored(t, parsed(t, text), parsed(t, moved), nil)
	expect(t, "steps", r.steps(), "")
	expect(t, "outcome", r.outcome(), "o: content sets in the file: all 67")
	if len(r.Known) != 67+3 || len(r.Sets)+len(r.Copies) > 0 {
		t.Errorf("known: %v, new: %v, copies: %v", r.Known, r.Sets, r.Copies)
	}
}
