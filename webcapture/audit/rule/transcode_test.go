package rule

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
)

// encodings are the forms in which a tool may write a text.
var encodings = []struct {
	name  string
	write func(text string) string
}{
	{"UTF-8", func(s string) string { return s }},
	{"UTF-8 with a byte order mark", func(s string) string { return "\xef\xbb\xbf" + s }},
	{"UTF-16", func(s string) string { return "\xfe\xff" + wide(s, 8) }},
	{"UTF-16 without a byte order mark", func(s string) string { return wide(s, 8) }},
	{"little-endian UTF-16", func(s string) string { return "\xff\xfe" + wide(s, 0) }},
	{"little-endian UTF-16 without a byte order mark", func(s string) string { return wide(s, 0) }},
}

// wide returns s in UTF-16. first is the shift that gives the first byte of a unit.
func wide(s string, first int) string {
	var b []byte
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>first), byte(u>>(8-first)))
	}
	return string(b)
}

// TestTranscodedNamesTheEncoding: a key in any encoding of any reading of an ID is recognized, and its encoding named.
func TestTranscodedNamesTheEncoding(t *testing.T) {
	for _, row := range []struct{ reading, id, text string }{
		{"PDFDocEncoding with undefined bytes replaced", "a\x9f\xa0\xe9", "a\ufffd€é"},
		{"PDFDocEncoding with undefined bytes kept", "a\x9f\xa0\xe9", "a\u009f€é"},
		{"Latin-1", "a\x80\x9f\xe9", "a\u0080\u009fé"},
		{"Windows-1252", "a\x80\x9f\xe9", "a€Ÿé"},
		{"Windows-1252 with undefined bytes replaced", "a\x80\x81\x8d\x8f\x90\x9d", "a€\ufffd\ufffd\ufffd\ufffd\ufffd"},
		{"Windows-1252 with undefined bytes kept", "a\x80\x81\x8d\x8f\x90\x9d", "a€\u0081\u008d\u008f\u0090\u009d"},
		{"UTF-8", "a\xc3\xa9\xe2\x82\xac", "aé€"},
		{"UTF-8 after a byte order mark", "\xef\xbb\xbfa\xc3\xa9", "aé"},
		{"UTF-16 after a byte order mark", "\xfe\xff\x00a\x20\xac\xd8\x3d\xde\x00", "a€😀"},
		{"Windows-1252 without escapes", "a\\200\\\\\x80", "a€\\€"},
		{"ASCII without escapes", "\\n3456789", "\n3456789"},
	} {
		for _, e := range encodings {
			key := e.write(row.text)
			if key == row.id {
				continue
			}
			if as, ok := Transcoded([]byte(row.id), []byte(key)); !ok || as != e.name {
				t.Errorf("%s: Transcoded(%q, %q) = %q, %v, want %s", row.reading, row.id, key, as, ok, e.name)
			}
		}
	}
}

// TestTranscodedKnowsOthers: a key that no tool makes from an ID is not recognized. A tool that decodes escapes and
// then expects UTF-8 cannot make a key from an ID that is not UTF-8.
func TestTranscodedKnowsOthers(t *testing.T) {
	const id = "\x00\x7f\x80\x9f\xa0\xad\xe9abcdefghi"
	for _, row := range [][2]string{{id, id}, {id, id[:15]}, {id, strings.ToUpper(id)}, {id, ""},
		{id, "007f809fa0ade9616263646566676869"}, {"\\n345678\xff0123456", "\n345678\xff0123456"}} {
		if as, ok := Transcoded([]byte(row[0]), []byte(row[1])); ok {
			t.Errorf("%q is %q in %s", row[1], row[0], as)
		}
	}
}

// TestTranscodingsEndEarly: a loop over Transcodings may end after any result.
func TestTranscodingsEndEarly(t *testing.T) {
	var all []string
	for encoding, text := range Transcodings([]byte("a\\n\xe9")) {
		all = append(all, encoding+" "+text)
	}
	for n := range all {
		var some []string
		for encoding, text := range Transcodings([]byte("a\\n\xe9")) {
			if some = append(some, encoding+" "+text); len(some) == n+1 {
				break
			}
		}
		if !slices.Equal(some, all[:n+1]) {
			t.Errorf("the first %d are %q, want %q", n+1, some, all[:n+1])
		}
	}
}

// TestUnescaped: escapes of literal strings are decoded (7.3.4.2, table 3).
func TestUnescaped(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "abc": "abc", `\n\r\t\b\f`: "\n\r\t\b\f", `\(\)\\`: `()\`, `\a\N\8\9`: "aN89",
		`\101\60\7`: "A0\a", `\1018`: "A8", `\0053`: "\x053", `\53x`: "+x", `\5\5`: "\x05\x05", `\08`: "\x008", `\7/`: "\a/",
		`\377\400\777`: "\xff\x00\xff", "a\\\nb": "ab", "a\\\r\nb": "ab", "a\\\rb": "ab", "a\\\r": "a", "a\\\n\rb": "a\rb",
		`a\`: "a", `\`: "", `\\\`: `\`, `a\1`: "a\x01", `a\12`: "a\n",
	} {
		if got := string(Unescaped([]byte(in))); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestPlainURLs: a URL that was written as UTF-8 or UTF-16 becomes ASCII. Any other URL stays as it is.
func TestPlainURLs(t *testing.T) {
	for _, text := range []string{"http://a.example/", "éa", "http://a.example/é€"} {
		want := ""
		for _, c := range []byte(text) {
			if c >= 0x80 {
				want += fmt.Sprintf("%%%02X", c)
			} else {
				want += string(rune(c))
			}
		}
		for _, e := range encodings {
			unmarked := strings.HasSuffix(e.name, "without a byte order mark")
			if e.name == "UTF-8" || unmarked && text != "http://a.example/" {
				continue // stays as it is; see below
			}
			url := e.write(text)
			if got, ok := PlainURL([]byte(url)); !ok || string(got) != want {
				t.Errorf("%s of %s is %q, %v, want %q", e.name, text, got, ok, want)
			}
		}
	}
	for url, want := range map[string]string{"a\x00": "a", "\x00a": "a", "\xff\xfe": "", "\xfe\xff": "",
		"\xef\xbb\xbf": ""} {
		if got, ok := PlainURL([]byte(url)); !ok || string(got) != want {
			t.Errorf("%q is %q, %v, want %q", url, got, ok, want)
		}
	}
	for _, url := range []string{"", "a", "\x00", "http://a.example/", "http://a.example/é", "é", "\xf0\x9f\x98\x80",
		"\xef\xbbx", "\xfe\xfe", "\xff\xff", "a\x00b", "\x00ab", "\x00a\x00", "a\x00b\x00c", "a\x00bc", "\x00a\x00\x00",
		"\x00abc", "a\x00\x00\x00"} {
		if got, ok := PlainURL([]byte(url)); ok || string(got) != url {
			t.Errorf("%q is %q, %v, want it unchanged", url, got, ok)
		}
	}
}

// TestPlainTextHasNoPlainEncodings: another encoding of printable ASCII without escapes has bytes of another kind, so
// Transcoded need not compare two such texts.
func TestPlainTextHasNoPlainEncodings(t *testing.T) {
	var all []byte
	for c := byte(' '); c <= '~'; c++ {
		if c != '\\' {
			all = append(all, c)
		}
	}
	for _, text := range []string{string(all), "http://www.example.com/", "a", "<00ff>", "4a4b"} {
		for as, encoded := range Transcodings([]byte(text)) {
			if encoded != text && isPlain([]byte(encoded)) {
				t.Errorf("%q as %s is %q", text, as, encoded)
			}
		}
	}
}
