package digest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest"
)

// The identifier of the worked example has every byte that is escaped.
const (
	exampleID      = "00412e5cff102030405060708090a0b0"
	exampleEscaped = "\\0A\\p\\\\\xff\x10\x20\x30\x40\x50\x60\x70\x80\x90\xa0\xb0"
)

func TestEscape(t *testing.T) {
	for _, f := range []struct{ name, in, want string }{
		{"example", exampleID, exampleEscaped},
		{"nothing", "6aff6ffde16c22ad173845d2aad0b489", "\x6a\xff\x6f\xfd\xe1\x6c\x22\xad\x17\x38\x45\xd2\xaa\xd0\xb4\x89"},
		{"zeros", strings.Repeat("00", 16), strings.Repeat(`\0`, 16)},
		{"one zero, from Acrobat 11", "25bf8e98ad00e9e6f1908a9669b1f8ee", "\x25\xbf\x8e\x98\xad\\0\xe9\xe6\xf1\x90\x8a\x96\x69\xb1\xf8\xee"},
	} {
		t.Run(f.name, func(t *testing.T) {
			id := must(f.in)
			if got := digest.Escape(id); got != f.want {
				t.Errorf("Escape(%v) = %q, want %q", id, got, f.want)
			}
			if got, rest, ok := digest.Unescape(f.want + "top"); !ok || got != id || rest != "top" {
				t.Errorf("Unescape(%q) = %v, %q, %t, want %v, top, true", f.want+"top", got, rest, ok, id)
			}
		})
	}
}

func TestUnescapeRefuses(t *testing.T) {
	const fifteen = "123456789012345"
	for _, s := range []string{"", fifteen, fifteen + `\`, fifteen + `\x`, fifteen + ".", fifteen + "\x00", `\` + fifteen} {
		if id, rest, ok := digest.Unescape(s); ok {
			t.Errorf("Unescape(%q) = %v, %q, true, want false", s, id, rest)
		}
	}
}

func TestDestinationName(t *testing.T) {
	id := must(exampleID)
	if got, want := digest.DestinationName("top", id, digest.Suffix), "top"+exampleEscaped; got != want || len(got) != 22 {
		t.Errorf("suffix: %q, want %q", got, want)
	}
	if got, want := digest.DestinationName("top", id, digest.Prefix), exampleEscaped+"top"; got != want {
		t.Errorf("prefix: %q, want %q", got, want)
	}
}

func TestFieldName(t *testing.T) {
	id := must(exampleID)
	for _, f := range []struct {
		name, original string
		id             digest.ID
		r              digest.FieldReading
		want           string
	}{
		{"whole name", "top", id, digest.WholeName, "HEGPHAFMDAEBFMHAFMFMPPBACADAEAFAGAHAIAJAKALA"},
		{"only the identifier", "top", id, digest.OnlyID, "topFMDAEBFMHAFMFMPPBACADAEAFAGAHAIAJAKALA"},
		{"Acrobat 5", "", must("63b029fa8709a89cdd65749ee8fe477c"), digest.WholeName, "GDLACJPKIHAJKIJMNNGFHEJOOIPOEHHM"},
	} {
		t.Run(f.name, func(t *testing.T) {
			if got := digest.FieldName(f.original, f.id, f.r); got != f.want {
				t.Errorf("FieldName(%q, %v) = %q, want %q", f.original, f.id, got, f.want)
			}
		})
	}
}

func TestSplit(t *testing.T) {
	id, other := must(exampleID), must("6aff6ffde16c22ad173845d2aad0b489")
	spelled := digest.ID([]byte("0123456789abcdef")) // "\" before it makes it look escaped
	for _, f := range []struct {
		name, in string
		want     digest.Match
		ok       bool
	}{
		{"suffix", "top" + exampleEscaped, digest.Match{"top", id, digest.Suffix}, true},
		{"prefix", exampleEscaped + "top", digest.Match{"top", id, digest.Prefix}, true},
		{"identifier alone", exampleEscaped, digest.Match{"", id, digest.Prefix}, true},
		{"prefix wins", digest.Escape(other) + exampleEscaped, digest.Match{exampleEscaped, other, digest.Prefix}, true},
		{"original with special bytes", "a.b\\c\x00" + exampleEscaped, digest.Match{"a.b\\c\x00", id, digest.Suffix}, true},
		{"original ends like an escape", `a\` + digest.Escape(spelled), digest.Match{`a\`, spelled, digest.Suffix}, true},
		{"unknown", "top" + digest.Escape(must(strings.Repeat("11", 16))), digest.Match{}, false},
		{"in the middle", "a" + exampleEscaped + "b", digest.Match{}, false},
		{"short", "top", digest.Match{}, false},
		{"empty", "", digest.Match{}, false},
	} {
		t.Run(f.name, func(t *testing.T) {
			if m, ok := digest.Split(f.in, known(id, other, spelled)); m != f.want || ok != f.ok {
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
		{"whole name", digest.FieldName("top", id, digest.WholeName), digest.Match{"top", id, digest.Suffix}, true},
		{"only the identifier", digest.FieldName("top", id, digest.OnlyID), digest.Match{"top", id, digest.Suffix}, true},
		{"identifier first", digest.FieldName("", id, digest.OnlyID) + ".f3", digest.Match{".f3", id, digest.Prefix}, true},
		{"Acrobat 5", "GDLACJPKIHAJKIJMNNGFHEJOOIPOEHHM", digest.Match{"", plain, digest.Prefix}, true},
		{"not escaped", "AAEBCOFMPPBACADAEAFAGAHAIAJAKALA", digest.Match{"", id, digest.Prefix}, true},
		{"original in letters", digest.FieldName("ABBA", id, digest.OnlyID), digest.Match{"\x01\x10", id, digest.Suffix}, true},
		{"original of odd length", digest.FieldName("form1", id, digest.OnlyID), digest.Match{"form1", id, digest.Suffix}, true},
		{"unknown", digest.FieldName("top", must(strings.Repeat("11", 16)), digest.WholeName), digest.Match{}, false},
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
		for _, name := range []string{
			digest.DestinationName(original, id, digest.Suffix),
			digest.DestinationName(original, id, digest.Prefix),
		} {
			m, ok := digest.Split(name, known(id))
			if !ok || digest.DestinationName(m.Original, m.ID, m.Place) != name {
				t.Errorf("Split(%q) = %v, %t", name, m, ok)
			}
		}
		for _, r := range []digest.FieldReading{digest.WholeName, digest.OnlyID} {
			if m, ok := digest.SplitField(digest.FieldName(original, id, r), known(id)); !ok || m.ID != id {
				t.Errorf("SplitField(FieldName(%q, %v, %d)) = %v, %t", original, id, r, m, ok)
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

func ExampleSplit() {
	id, _ := digest.Parse("6aff6ffde16c22ad173845d2aad0b489")
	name := digest.DestinationName("gen", id, digest.Prefix)
	m, ok := digest.Split(name, func(x digest.ID) bool { return x == id })
	fmt.Println(m.Original, m.ID, ok)
	// Output: gen 6aff6ffde16c22ad173845d2aad0b489 true
}
