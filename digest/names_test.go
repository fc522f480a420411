package digest_test

import (
	"encoding/hex"
	"fmt"
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

// TestSplitsOfVectors runs the cases of testdata/digest: the likeliest split of each name has the identifier, and the
// escaped identifier is in destination names.
func TestSplitsOfVectors(t *testing.T) {
	for _, row := range webcapturetest.Rows(t, "../testdata/digest/names.tsv") {
		t.Run(row[4], func(t *testing.T) {
			form, original, id := row[0], row[1], must(row[2])
			name, err := hex.DecodeString(row[3])
			if err != nil {
				t.Fatal(err)
			}
			splits := digest.FieldSplits
			if strings.HasPrefix(form, "destination") {
				splits = digest.Splits
				if !strings.Contains(string(name), digest.Escape(id)) {
					t.Errorf("Escape(%v) = %q, which is not in %q", id, digest.Escape(id), name)
				}
			}
			want := digest.Match{ID: id, Place: digest.Suffix}
			if original == "" || strings.HasSuffix(form, "prefix") || form == "field-root" {
				want.Place = digest.Prefix
			}
			if ways := digest.Likeliest(splits(string(name))); len(ways) == 0 || ways[0] != want {
				t.Errorf("ways %v, the first should be %v", ways, want)
			}
		})
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
		{"suffix", "top" + exampleEscaped, digest.Match{id, digest.Suffix}, true},
		{"prefix", exampleEscaped + "top", digest.Match{id, digest.Prefix}, true},
		{"identifier alone", exampleEscaped, digest.Match{id, digest.Prefix}, true},
		{"prefix wins", digest.Escape(other) + exampleEscaped, digest.Match{other, digest.Prefix}, true},
		{"original with special bytes", "a.b\\c\x00" + exampleEscaped, digest.Match{id, digest.Suffix}, true},
		{"original ends like an escape", `a\` + digest.Escape(spelled), digest.Match{spelled, digest.Suffix}, true},
		{"one byte before it", "a" + digest.Escape(other), digest.Match{other, digest.Suffix}, true},
		{"one byte before the longest", "a" + strings.Repeat(`\\`, 16), digest.Match{backslashes, digest.Suffix}, true},
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

// TestFieldSplits searches names of fields for the first known identifier.
func TestFieldSplits(t *testing.T) {
	id, plain := must(exampleID), must("63b029fa8709a89cdd65749ee8fe477c")
	const (
		inLetters = "FMDAEBFMHAFMFMPPBACADAEAFAGAHAIAJAKALA" // exampleEscaped
		acrobat5  = "GDLACJPKIHAJKIJMNNGFHEJOOIPOEHHM"       // plain
	)
	for _, row := range []struct {
		name, in string
		want     digest.Match
	}{
		{"short", "form1", digest.Match{}},
		{"a small letter", "Fm" + inLetters[2:], digest.Match{}},
		{"whole name", "HEGPHA" + inLetters, digest.Match{id, digest.Suffix}},
		{"only the identifier", "top" + inLetters, digest.Match{id, digest.Suffix}},
		{"identifier first", inLetters + ".f3", digest.Match{id, digest.Prefix}},
		{"Acrobat 5", acrobat5, digest.Match{plain, digest.Prefix}},
		{"not escaped", "AAEBCOFMPPBACADAEAFAGAHAIAJAKALA", digest.Match{id, digest.Prefix}},
		{"odd number of letters", acrobat5 + "B", digest.Match{plain, digest.Prefix}},
		{"both ends", inLetters + "." + acrobat5, digest.Match{plain, digest.Suffix}},
	} {
		t.Run(row.name, func(t *testing.T) {
			var got digest.Match
			for m := range digest.FieldSplits(row.in) {
				if known(id, plain)(m.ID) {
					got = m
					break
				}
			}
			if got != row.want {
				t.Errorf("the first known identifier in %q is %v, want %v", row.in, got, row.want)
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
		for _, name := range []string{original + escaped, escaped + original} {
			if m, ok := digest.Split(name, known(id)); !ok || m.ID != id {
				t.Errorf("%q comes apart as %v, %t, want %v", name, m, ok, id)
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
	m, ok := digest.Split(digest.Escape(id)+"gen", func(x digest.ID) bool { return x == id })
	fmt.Println(m.ID, ok)
	// Output: 6aff6ffde16c22ad173845d2aad0b489 true
}
