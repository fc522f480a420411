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
		{"\xff", `\xff`},
		{"real \uFFFD", "real \uFFFD"},
		{"bidi \u202e", `bidi \u202e`},
		{"\u0080", `\u0080`},
		{"tag \U000e0001", `tag \U000e0001`},
		{`C:\dir`, `C:\dir`},
	} {
		t.Run(tt.in, func(t *testing.T) {
			if got := Printable(tt.in); got != tt.want {
				t.Errorf("Printable(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
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
		{"one ", 4, []string{"one "}},
		{"one  two", 3, []string{"one", "two"}},
		{"  longest", 4, []string{"  longest"}},
		{"a longestword b", 5, []string{"a", "longestword", "b"}},
		{"äöü äöü", 4, []string{"äöü", "äöü"}},
		{"key <00112233445566778899> is", 9, []string{"key", "<00112233445566778899>", "is"}},
		{"a path/to/a/file b", 6, []string{"a", "path/to/a/file", "b"}},
		{"at http://host.example/a/b?c=d&e=f now", 14, []string{"at", "http://host.example/a/b?c=d&e=f", "now"}},
		{"key (a b) is", 8, []string{"key (a", "b) is"}},
		{"in node 12 0 R of it", 9, []string{"in node", "12 0 R of", "it"}},
		{"key (a http://a.example/b c) is", 22, []string{"key (a", "http://a.example/b c)", "is"}},
		{"key (http://a.example/) is", 8, []string{"key", "(http://a.example/)", "is"}},
		{"http://a/ b/c", 5, []string{"http://a/", "b/c"}},
	} {
		t.Run(tt.in, func(t *testing.T) {
			if got := Wrap(tt.in, tt.width); !slices.Equal(got, tt.want) {
				t.Errorf("Wrap(%q, %d) = %q, want %q", tt.in, tt.width, got, tt.want)
			}
		})
	}
}

func TestShortenMiddle(t *testing.T) {
	for _, tt := range []struct {
		in   string
		n    int
		want string
	}{{"abcdef", 6, "abcdef"}, {"abcdefg", 6, "abcd…g"}, {"äöüäöüä", 6, "äöüä…ä"}, {"", 6, ""}} {
		t.Run(tt.in, func(t *testing.T) {
			if got := ShortenMiddle(tt.in, tt.n); got != tt.want {
				t.Errorf("ShortenMiddle(%q, %d) = %q, want %q", tt.in, tt.n, got, tt.want)
			}
		})
	}
}

func TestCell(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "a=1": "a=1", "=1": "'=1", "+1": "'+1", "-": "'-", "@x": "'@x", "＝1": "'＝1", "\t=1": `\x09=1`, "'=": "'=",
		"(=)": "(=)",
	} {
		t.Run(in, func(t *testing.T) {
			if got := Cell(in); got != want {
				t.Errorf("Cell(%q) = %q, want %q", in, got, want)
			}
		})
	}
}
