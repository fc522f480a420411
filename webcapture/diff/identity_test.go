package diff_test

import (
	"fmt"
	"strings"
	"testing"
)

// setsOf returns a file with page sets, which are the value of one key. Each word has the ID ("-" for none), the host
// of the source, and the title of one.
func setsOf(words string) string {
	var value, objects strings.Builder
	for i, word := range strings.Fields(words) {
		id, rest, _ := strings.Cut(word, "/")
		host, title, _ := strings.Cut(rest, "/")
		entry := ""
		if id != "-" {
			entry = "/ID <" + strings.Repeat(id, 16) + "> "
		}
		fmt.Fprintf(&value, "%d 0 R ", 10+i)
		fmt.Fprintf(&objects, "%d 0 obj << /S /SPS %s/T (%s) /O [ ] /SI << /AU (%s) >> >>\n", 10+i, entry, title, host)
	}
	return "names: << /URLS << /Names [ (key) [ " + value.String() + "] ] >> >>\n" + objects.String()
}

// TestIdentities: content sets with the same ID are pairs if their content is the same, then if their sources are the
// same, then in any case. Those without an ID are pairs only if their sources are the same.
func TestIdentities(t *testing.T) {
	id := func(s string) string { return "<" + strings.Repeat(s, 16) + ">" }
	set := "page set " + id("01")
	one, zero := "page set "+id("01")+" of ", "page set "+id("00")+" of "
	for _, tt := range []struct{ a, b, want string }{
		{"01/x/A", "01/x/B", "changed " + one + "(x), T: (A) | (B)\n"},
		{"01/x/A", "01/y/A", "lost " + one + "(x), source (x):  | \nadded " + one + "(x), source (y):  | \n"},
		{"01/x/A 01/x/B", "01/x/B 01/x/C", "changed " + one + "(x), T: (A) | (C)\n"},
		{"01/x/A 01/y/A", "01/x/B 01/y/B", "changed " + one + "(x), T: (A) | (B)\nchanged " + one + "(y), T: (A) | (B)\n"},
		{"01/x/A 01/y/A", "01/z/A 01/y/B", "lost " + one + "(x), source (x):  | \nadded " + one + "(x), source (z):  | \n" +
			"changed " + one + "(y), T: (A) | (B)\n"},
		{"01/x/A 01/y/A", "01/y/A", "lost " + one + "(x): 0 members | \n"},
		{"01/x/A 01/x/A", "01/x/A", "changed URLS key (key): " + set + ", " + set + " | " + set + "\n"},
		{"01/x/A", "01/x/A 01/y/A", "added " + one + "(y):  | 0 members\n"},
		{"01/y/A", "01/x/A 01/y/A", "added " + one + "(x):  | 0 members\n"},
		{"-/x/A", "-/x/B", "changed page set of (x), T: (A) | (B)\n"},
		{"-/x/A", "-/y/A", "lost page set of (x): 0 members | \n" +
			"added page set of (y):  | 0 members\n"},
		{"-/x/A -/x/B", "-/x/B -/x/A", ""},
		{"-/x/A -/y/B -/z/C", "-/z/D -/y/E -/x/F", "changed page set of (x), T: (A) | (F)\n" +
			"changed page set of (y), T: (B) | (E)\nchanged page set of (z), T: (C) | (D)\n"},
		{"-/x/A", "00/x/A", "lost page set of (x): 0 members | \n" +
			"added " + zero + "(x):  | 0 members\n"},
		{"00/x/A -/x/A", "-/x/A 00/x/A", ""},
		{"01/x/A 02/x/A 03/x/A", "04/x/A 02/x/A 00/x/A",
			"added " + zero + "(x):  | 0 members\nlost " + one + "(x): 0 members | \n" +
				"lost page set " + id("03") + " of (x): 0 members | \nadded page set " + id("04") + " of (x):  | 0 members\n"},
	} {
		t.Run(tt.a+" | "+tt.b, func(t *testing.T) {
			if got := text(compare(t, pdf(t, setsOf(tt.a)), pdf(t, setsOf(tt.b)))); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
		})
	}
}
