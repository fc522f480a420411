package layout

import (
	"slices"
	"testing"
)

func TestPrintable(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"plain", "plain"},
		{"Zürich €", "Zürich €"},
		{"\x1b]0;t\x07", `\x1b]0;t\x07`},
		{"a\nb", `a\x0ab`},
		{"tab\t", `tab\x09`},
		{"bad\xff", `bad\xff`},
		{"real \uFFFD", "real \uFFFD"},
		{"bidi \u202e", `bidi \u202e`},
		{"\u0085", `\u0085`},
		{"tag \U000e0001", `tag \U000e0001`},
		{`C:\dir`, `C:\dir`},
	} {
		if got := Printable(tt.in); got != tt.want {
			t.Errorf("Printable(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		in    string
		width int
		want  []string
	}{
		{"", 5, []string{""}},
		{"one two", 0, []string{"one two"}},
		{"one two", 7, []string{"one two"}},
		{"one two", 6, []string{"one", "two"}},
		{"one two", 3, []string{"one", "two"}},
		{"one  two", 4, []string{"one", "two"}},
		{"one       ", 5, []string{"one"}},
		{"a longestword b", 5, []string{"a", "longe", "stwor", "d b"}},
		{"äöüäöü", 4, []string{"äöüä", "öü"}},
	} {
		if got := Wrap(tt.in, tt.width); !slices.Equal(got, tt.want) {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
		}
	}
}

func TestShortenMiddle(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{{"abcdef", 6, "abcdef"}, {"abcdefg", 6, "abcd…g"}, {"äöüäöüä", 6, "äöüä…ä"}, {"", 6, ""}} {
		if got := ShortenMiddle(tt.in, tt.n); got != tt.want {
			t.Errorf("ShortenMiddle(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
		}
	}
}
