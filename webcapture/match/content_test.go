package match

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
)

// shownContents are contents of a page, and whether they show the same.
var shownContents = []struct {
	a, b string
	same bool
}{
	{"q Q", "q\x00\t\f\r Q", true},
	{"q Q", "q % a comment\rQ", true},
	{"q Q", "q % a comment\nQ", true},
	{"q Q", "q % Q", false},
	{"q Q", "qQ", false},
	{"q Q", "Q q", false},
	{"/F1 Tf", "/F2 Tf", true}, // names of resources do not count
	{"/F1 Tf", "/F#31 Tf", true},
	{"/F1 Tf", "Tf", false},
	{"/F1/F2 scn", "/F1 scn", false},
	{"/F#zz Tf", "/F Tf", true},
	{"[1 2]d", "[ 1 2 ] d", true},
	{"[1 2]d", "[1] 2 d", false},
	{"<</A 1>>BDC", "<< /B 1 >> BDC", true},
	{"<</A 1>>BDC", "<< /A 2 >> BDC", false},
	{"<</A 1>>BDC", "<< /A 1.0>>BDC", true},
	{"<</A 1/B 23>>BDC", "<</A 12/B 3>>BDC", false},
	{"<</A<61>>>BDC", "<</A(a)>>BDC", true},
	{"{1}", "[1]", false},
	{"(ab) Tj", "<6162> Tj", true},
	{"(ab) Tj", "(a\\142) Tj", true},
	{"(ab) Tj", "(ac) Tj", false},
	{"(a)(b) Tj", "(ab) Tj", false},
	{"(a b) Tj", "(ab) Tj", false},
	{"(ab", "(ab) Tj", false},
	{"(ab Tj", "(ac Tj", false},
	{"q <", "q <<", false},
	{"q <", "q <0", false},
	{"1 w", "1.000 w", true},
	{"1 w", "+1 w", true},
	{"1 w", "2 w", false},
	{"100 w", "200 w", false},
	{"1.5 w", "1.6 w", false},
	{"0 w", "-0.0 w", true},
	{"0 w", "-0 w", true},
	{"0.1 w", "0.104 w", true},
	{"-0.1 w", "-0.102 w", true},
	{"0.05 w", "0.051 w", false},
	{"-0.05 w", "-0.0501 w", true},
	{"-0.05 w", "0.05 w", false},
	{"12.341 w", "12.34 w", true},
	{"12.34 w", "12.35 w", false},
	{"0.001 w", "0.004 w", false},
	{"0.001 w", ".0010 w", true},
	{"inf w", "nan w", false},
	{"BI /W 1 ID \x01\x02 EI Q", "BI/W 1\nID \x01\x02 EI\nQ", true},
	{"BI /W 1 ID \x01\x02 EI Q", "BI /W 1 ID \x01\x03 EI Q", false},
	{"BI ID a EI Q", "BI ID a EI q", false},
	{"BI ID aEI b EI Q", "BI ID aEI c EI Q", false}, // EI within the data
	{"BI ID a EIb EI Q", "BI ID a EIc EI Q", false},
	{"BI ID a EI", "BI ID a\nEI", true},
	{"BI ID ab", "BI ID ac", false}, // data without an end
	{"BI ID 1.0 EI Q", "BI ID 1 EI Q", false},
	{"BI ID % a\n EI Q", "BI ID % b\n EI Q", false},
	{"BI ID EI EI Q", "BI ID EI Q", false},
	{"BI ID EI EI 1.0 w", "BI ID EI EI 1 w", true},
	{"BI ID aEI 1.0 EI Q", "BI ID aEI 1 EI Q", false},
	{"BI ID a EIb 1.0 EI Q", "BI ID a EIb 1 EI Q", false},
	{"<</A 1>>BDC", "/A 1>>BDC", false},
	{"(ab Tj", "ab Tj", false},
	{"BI ID  EI Q", "BI ID x EI Q", false},
}

// TestOperators: comments, white space, and names of resources do not count. Nor does the notation of numbers and
// strings. Numbers are rounded, because tools round them.
func TestOperators(t *testing.T) {
	operators := func(content string) Hash { return read(t, page(10, "", content)).Pages[0].Content }
	for _, tt := range shownContents {
		t.Run(fmt.Sprintf("%q and %q", tt.a, tt.b), func(t *testing.T) {
			if same := operators(tt.a) == operators(tt.b); same != tt.same {
				t.Errorf("the same: %v, want %v", same, tt.same)
			}
		})
	}
}

// TestTokensAcrossWindows: the content is read in parts, and the tokens do not depend on where a part ends.
func TestTokensAcrossWindows(t *testing.T) {
	d := read(t, page(10, "", "q"))
	tokens := func(text string, split int) (out content) {
		all := sha256.New()
		k := &tokenizer{all: bufio.NewWriter(all), strings: sha256.New(), names: map[string]string{}, reader: d.Reader}
		n := 0
		if split >= 0 {
			n = k.read([]byte(text[:split]), false)
		}
		k.read([]byte(text[n:]), true)
		k.all.Flush()
		return content{operators: hashOf(all), text: hashOf(k.strings), painted: k.painted}
	}
	for _, tt := range shownContents {
		t.Run(tt.a, func(t *testing.T) {
			text := tt.a + " /A Do /Bc Do % /D Do\n" + tt.b + "\n"
			want := tokens(text, -1)
			for split := range text {
				got := tokens(text, split)
				if got.operators != want.operators || got.text != want.text || !slices.Equal(got.painted, want.painted) {
					t.Errorf("other tokens if a part ends after %q", text[:split])
				}
			}
		})
	}
}
