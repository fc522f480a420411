package digest_test

import (
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The identifier of the worked example has every byte that is escaped.
const (
	exampleID      = "00412e5cff102030405060708090a0b0"
	exampleEscaped = "\\0A\\p\\\\\xff\x10\x20\x30\x40\x50\x60\x70\x80\x90\xa0\xb0"
)

func TestUnescapeRefuses(t *testing.T) {
	const fifteen = "123456789012345"
	for _, s := range []string{"", fifteen, fifteen + `\`, fifteen + `\x`, fifteen + ".", fifteen + "\x00",
		`\` + fifteen} {
		t.Run(s, func(t *testing.T) {
			if id, rest, ok := digest.Unescape(s); ok {
				t.Errorf("Unescape(%q) = %v, %q, true, want false", s, id, rest)
			}
		})
	}
}

// TestFormName runs the cases of testdata/digest. The name of a destination has the identifier escaped.
func TestFormName(t *testing.T) {
	forms := map[string]digest.Form{}
	for _, f := range digest.Forms() {
		forms[f.String()] = f
	}
	for _, row := range webcapturetest.Rows(t, "../testdata/digest/names.tsv") {
		t.Run(row[4], func(t *testing.T) {
			form, ok := forms[row[0]]
			name, err := hex.DecodeString(row[3])
			if !ok || err != nil {
				t.Fatalf("form %q, name %q: %v", row[0], row[3], err)
			}
			original, id, want := row[1], must(row[2]), string(name)
			if got := form.Name(original, id); got != want {
				t.Errorf("Name(%q, %v) = %q, want %q", original, id, got, want)
			}
			escaped, ok := strings.CutPrefix(want, original)
			if form != digest.DestinationSuffix || !ok {
				return
			}
			if got := digest.Escape(id); got != escaped {
				t.Errorf("Escape(%v) = %q, want %q", id, got, escaped)
			}
			if got, rest, ok := digest.Unescape(escaped + "top"); !ok || got != id || rest != "top" {
				t.Errorf("Unescape(%q) = %v, %q, %t, want %v, top, true", escaped+"top", got, rest, ok, id)
			}
		})
	}
}

// TestFormsComeApart: the likeliest split of each form has the original name and the identifier.
func TestFormsComeApart(t *testing.T) {
	id := must(exampleID)
	seen := map[string]bool{}
	for _, f := range digest.Forms() {
		if seen[f.String()] {
			t.Errorf("two forms are named %v", f)
		}
		seen[f.String()] = true
		splits, original := digest.Splits, "top"
		if f.OfField() {
			splits = digest.FieldSplits
		}
		if f == digest.FieldRoot {
			original = ""
		}
		ways := digest.Likeliest(splits(f.Name("top", id)))
		if len(ways) == 0 || ways[0].ID != id || ways[0].Original != original || ways[0].Form != f {
			t.Errorf("%v: ways %v, the first should be of %v and %q", f, ways, id, original)
		}
	}
}

func TestSplit(t *testing.T) {
	id, other := must(exampleID), must("6aff6ffde16c22ad173845d2aad0b489")
	spelled := digest.ID([]byte("0123456789abcdef")) // "\" before it makes it look escaped
	backslashes := must(strings.Repeat("5c", 16))
	for _, f := range []struct {
		name, in string
		want     digest.Match
		ok       bool
	}{
		{"suffix", "top" + exampleEscaped, digest.Match{"top", id, digest.Suffix, digest.DestinationSuffix}, true},
		{"prefix", exampleEscaped + "top", digest.Match{"top", id, digest.Prefix, digest.DestinationPrefix}, true},
		{"identifier alone", exampleEscaped, digest.Match{"", id, digest.Prefix, digest.DestinationPrefix}, true},
		{"prefix wins", digest.Escape(other) + exampleEscaped,
			digest.Match{exampleEscaped, other, digest.Prefix, digest.DestinationPrefix}, true},
		{"original with special bytes", "a.b\\c\x00" + exampleEscaped,
			digest.Match{"a.b\\c\x00", id, digest.Suffix, digest.DestinationSuffix}, true},
		{"original ends like an escape", `a\` + digest.Escape(spelled),
			digest.Match{`a\`, spelled, digest.Suffix, digest.DestinationSuffix}, true},
		{"one byte before it", "a" + digest.Escape(other),
			digest.Match{"a", other, digest.Suffix, digest.DestinationSuffix}, true},
		{"one byte before the longest", "a" + strings.Repeat(`\\`, 16),
			digest.Match{"a", backslashes, digest.Suffix, digest.DestinationSuffix}, true},
		{"unknown", "top" + digest.Escape(must(strings.Repeat("11", 16))), digest.Match{}, false},
		{"in the middle", "a" + exampleEscaped + "b", digest.Match{}, false},
		{"short", "top", digest.Match{}, false},
		{"empty", "", digest.Match{}, false},
	} {
		t.Run(f.name, func(t *testing.T) {
			if m, ok := digest.Split(f.in, known(id, other, spelled, backslashes)); m != f.want || ok != f.ok {
				t.Errorf("Split(%q) = %v, %t, want %v, %t", f.in, m, ok, f.want, f.ok)
			}
		})
	}
}

func TestSplitField(t *testing.T) {
	id, plain := must(exampleID), must("63b029fa8709a89cdd65749ee8fe477c")
	for _, f := range []struct {
		name, in string
		want     digest.Match
		ok       bool
	}{
		{"whole name", digest.FieldWhole.Name("top", id), digest.Match{"top", id, digest.Suffix, digest.FieldWhole},
			true},
		{"only the identifier", digest.FieldID.Name("top", id), digest.Match{"top", id, digest.Suffix, digest.FieldID},
			true},
		{"identifier first", digest.FieldID.Name("", id) + ".f3",
			digest.Match{".f3", id, digest.Prefix, digest.FieldID}, true},
		{"Acrobat 5", "GDLACJPKIHAJKIJMNNGFHEJOOIPOEHHM", digest.Match{"", plain, digest.Prefix, digest.FieldRoot},
			true},
		{"not escaped", "AAEBCOFMPPBACADAEAFAGAHAIAJAKALA", digest.Match{"", id, digest.Prefix, digest.FieldRoot},
			true},
		{"original in letters", digest.FieldID.Name("ABBA", id),
			digest.Match{"\x01\x10", id, digest.Suffix, digest.FieldWhole}, true},
		{"original of odd length", digest.FieldID.Name("form1", id),
			digest.Match{"form1", id, digest.Suffix, digest.FieldID}, true},
		{"odd number of letters", "GDLACJPKIHAJKIJMNNGFHEJOOIPOEHHM" + "B",
			digest.Match{"B", plain, digest.Prefix, digest.FieldID}, true},
		{"a small letter", strings.Replace(digest.FieldID.Name("", id), "CA", "Ca", 1), digest.Match{}, false},
		{"unknown", digest.FieldWhole.Name("top", must(strings.Repeat("11", 16))), digest.Match{}, false},
		{"short", "form1", digest.Match{}, false},
		{"empty", "", digest.Match{}, false},
	} {
		t.Run(f.name, func(t *testing.T) {
			if m, ok := digest.SplitField(f.in, known(id, plain)); m != f.want || ok != f.ok {
				t.Errorf("SplitField(%q) = %v, %t, want %v, %t", f.in, m, ok, f.want, f.ok)
			}
		})
	}
}

// TestWays has all ways to split a name, in their order.
func TestWays(t *testing.T) {
	id, plain, other := must(exampleID), must("63b029fa8709a89cdd65749ee8fe477c"),
		must("6aff6ffde16c22ad173845d2aad0b489")
	show := func(m digest.Match) string { return fmt.Sprintf("%q %v %v %v", m.Original, m.ID, m.Place, m.Form) }
	for _, row := range []struct {
		name string
		ways iter.Seq[digest.Match]
		want []digest.Match
	}{
		{"nothing", digest.Splits(""), nil},
		{"too short", digest.Splits("123456789012345"), nil},
		{"both ends", digest.Splits(digest.Escape(id) + digest.Escape(plain)), []digest.Match{
			{digest.Escape(plain), id, digest.Prefix, digest.DestinationPrefix},
			{digest.Escape(id), plain, digest.Suffix, digest.DestinationSuffix},
		}},
		{"no letters", digest.FieldSplits("form1"), nil},
		{"seventeen bytes in letters", digest.FieldSplits(strings.Repeat("AA", 17)), nil},
		{"an identifier in letters, not escaped", digest.FieldSplits("AAEBCOFMPPBACADAEAFAGAHAIAJAKALA"),
			[]digest.Match{
				{"", id, digest.Prefix, digest.FieldRoot},
			}},
		{"both ends, the rest in letters too",
			digest.FieldSplits(digest.FieldRoot.Name("", plain) + digest.FieldRoot.Name("", other)), []digest.Match{
				{digest.Escape(other), plain, digest.Prefix, digest.FieldWhole},
				{digest.Escape(plain), other, digest.Suffix, digest.FieldWhole},
				{digest.FieldRoot.Name("", other), plain, digest.Prefix, digest.FieldID},
				{digest.FieldRoot.Name("", plain), other, digest.Suffix, digest.FieldID},
			}},
		{"both ends, the rest not in letters",
			digest.FieldSplits(digest.FieldRoot.Name("", plain) + "." + digest.FieldRoot.Name("", other)),
			[]digest.Match{
				{"." + digest.FieldRoot.Name("", other), plain, digest.Prefix, digest.FieldID},
				{digest.FieldRoot.Name("", plain) + ".", other, digest.Suffix, digest.FieldID},
			}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got []digest.Match
			for m := range row.ways {
				got = append(got, m)
			}
			if !slices.Equal(got, row.want) {
				t.Errorf("%d ways, want %d", len(got), len(row.want))
				for _, m := range got {
					t.Log(show(m))
				}
			}
			for most := range row.want { // callers may stop early
				seen := 0
				for range row.ways {
					if seen++; seen > most {
						break
					}
				}
			}
		})
	}
}

func TestLooksDigested(t *testing.T) {
	for _, row := range []struct {
		name, id string
		want     bool
	}{
		{"digest", "\x63\xb0\x29\xfa\x87\x09\xa8\x9c\xdd\x65\x74\x9e\xe8\xfe\x47\x7c", true},
		{"ASCII", "0123456789abcdef", false},
		{"UTF-8", "Оглавлен", false},
		{"UTF-16", "\xfe\xff\x04\x1e\x04\x33\x04\x3b\x04\x30\x04\x32\x04\x3b\x04\x35", false},
		{"UTF-16, low byte first", "\xff\xfe\x1e\x04\x33\x04\x3b\x04\x30\x04\x32\x04\x3b\x04\x35\x04", false},
		{"half a byte order mark", "\xfe\x80\x80\x80\x80bcdefghijkl", true},
		{"the other half", "a\xff\x80\x80\x80\x80cdefghijkl", true},
		{"half a mark, low byte first", "\xff\x80\x80\x80\x80bcdefghijkl", true},
		{"and its other half", "a\xfe\x80\x80\x80\x80cdefghijkl", true},
		{"five bytes are not text", "\x1f\x7f\x80\xc0\xff ~bcdefghij", true},
		{"four bytes are not text", "\x1f\x7f\x80\xff ~bcdefghijk", false},
	} {
		t.Run(row.name, func(t *testing.T) {
			id, ok := digest.FromBytes([]byte(row.id))
			if !ok {
				t.Fatalf("%s: %d bytes", row.name, len(row.id))
			}
			if got := id.LooksDigested(); got != row.want {
				t.Errorf("%s: LooksDigested = %v", row.name, got)
			}
		})
	}
}

// TestLikeliest: text in UTF-16 is less likely to be a digest than bytes that are not text, even if the text has fewer
// printable ASCII characters.
func TestLikeliest(t *testing.T) {
	text := digest.ID([]byte("\xfe\xff\x04\x1e\x04\x33\x04\x3b\x04\x31\x04\x32\x04\x3b\x04\x35"))
	other := digest.ID([]byte("\x80\x81\x82\x83\x84\x85bcdefghijk"))
	ways := digest.Likeliest(digest.Splits(digest.Escape(text) + digest.Escape(other)))
	if len(ways) != 2 || ways[0].ID != other || ways[1].ID != text {
		t.Errorf("Likeliest = %v, want %v before %v", ways, other, text)
	}
}

func FuzzEscape(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), "top")
	f.Add([]byte("\x00.\\\xff............"), `\0`)
	f.Fuzz(func(t *testing.T, b []byte, original string) {
		id, ok := digest.FromBytes(append(b, make([]byte, 16)...)[:16])
		if !ok {
			t.Fatal("16 bytes refused")
		}
		escaped := digest.Escape(id)
		if strings.ContainsAny(escaped, "\x00.") {
			t.Errorf("Escape(%v) = %q", id, escaped)
		}
		if got, rest, ok := digest.Unescape(escaped + original); !ok || got != id || rest != original {
			t.Errorf("Unescape(%q) = %v, %q, %t, want %v, %q, true", escaped+original, got, rest, ok, id, original)
		}
		for _, form := range digest.Forms() {
			split := digest.Split
			if form.OfField() {
				split = digest.SplitField
			}
			name := form.Name(original, id)
			if m, ok := split(name, known(id)); !ok || m.ID != id ||
				!form.OfField() && m.Form.Name(m.Original, m.ID) != name {
				t.Errorf("%v of %q and %v is %q, which comes apart as %v, %t", form, original, id, name, m, ok)
			}
		}
	})
}

func FuzzUnescape(f *testing.F) {
	f.Add(exampleEscaped + "top")
	f.Add(`\\\0\p`)
	f.Fuzz(func(t *testing.T, s string) {
		if id, rest, ok := digest.Unescape(s); ok && digest.Escape(id)+rest != s {
			t.Errorf("Unescape(%q) = %v, %q, which is not what was read", s, id, rest)
		}
	})
}

// FuzzSplits: each match of Splits makes the same name again, and occurs once.
func FuzzSplits(f *testing.F) {
	for _, form := range digest.Forms() {
		f.Add(form.Name("top", must(exampleID)))
	}
	f.Add("AAEBCOFMPPBACADAEAFAGAHAIAJAKALA")
	f.Fuzz(func(t *testing.T, name string) {
		seen := map[digest.Match]bool{}
		for m := range digest.Splits(name) {
			if seen[m] || m.Form.Name(m.Original, m.ID) != name {
				t.Errorf("Splits(%q) yields %v, twice: %t", name, m, seen[m])
			}
			seen[m] = true
		}
		for m := range digest.FieldSplits(name) {
			made := m.Form.Name(m.Original, m.ID)
			if m.Form == digest.FieldID && m.Place == digest.Prefix {
				made = digest.FieldRoot.Name("", m.ID) + m.Original
			}
			if seen[m] || len(made) == len(name) && m.Place == digest.Suffix && made != name {
				t.Errorf("FieldSplits(%q) yields %v, twice: %t", name, m, seen[m])
			}
			seen[m] = true
		}
		if got := digest.Likeliest(digest.Splits(name)); len(got) > 0 {
			for _, m := range got[1:] {
				if m.ID.LooksDigested() && !got[0].ID.LooksDigested() {
					t.Errorf("%v before %v", got[0], m)
				}
			}
		}
	})
}

func ExampleSplit() {
	id, _ := digest.Parse("6aff6ffde16c22ad173845d2aad0b489")
	name := digest.DestinationPrefix.Name("gen", id)
	m, ok := digest.Split(name, func(x digest.ID) bool { return x == id })
	fmt.Println(m.Original, m.ID, ok)
	// Output: gen 6aff6ffde16c22ad173845d2aad0b489 true
}
