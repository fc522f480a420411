package jsondoc

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// fullWriter is a writer that accepts some bytes, and then returns errFull.
type fullWriter struct{ room int }

var errFull = errors.New("full")

func (f *fullWriter) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return 0, errFull
	}
	f.room -= len(p)
	return len(p), nil
}

// directions maps text to its JSON. The controls are those with the property Bidi_Control in Unicode's PropList.txt.
var directions = []struct{ text, want string }{
	{"", `""`},
	{"plain <&> €", `"plain <&> €"`},
	{"\u0080\u061b\u200d\u2010\u202f\u206a", "\"\u0080\u061b\u200d\u2010\u202f\u206a\""}, // next to controls
	{"a\u202eb", `"a\u202eb"`},
	{"\u061c\u200e\u200f", `"\u061c\u200e\u200f"`},
	{"\u202a€\u2066 \u2069", `"\u202a€\u2066 \u2069"`},
}

// Control characters of the writing direction become escapes, all other characters stay, and decoding gives the
// original text.
func TestDirections(t *testing.T) {
	for _, tt := range directions {
		got := encoded(tt.text)
		if got != tt.want {
			t.Errorf("JSON of %q is %s, want %s", tt.text, got, tt.want)
		}
		var text string
		if err := json.Unmarshal([]byte(got), &text); err != nil || text != tt.text {
			t.Errorf("%s decodes to %q, %v, want %q", got, text, err, tt.text)
		}
	}
}

// A writer gets the whole text, also if it begins with a control character. Callers learn each error of the writer,
// before and after an escape.
func TestDirectionsToWriter(t *testing.T) {
	const in, want = "\u202eab\u202cde", `\u202eab\u202cde`
	var out bytes.Buffer
	if n, err := (directionless{&out}).Write([]byte(in)); n != len(in) || err != nil || out.String() != want {
		t.Errorf("Write = %d, %v with %q, want %d without an error, and %q", n, err, out.String(), len(in), want)
	}
	for room := range len(want) {
		if _, err := (directionless{&fullWriter{room}}).Write([]byte(in)); !errors.Is(err, errFull) {
			t.Errorf("a writer with room for %d bytes: error %v, want %v", room, err, errFull)
		}
	}
}

// A value that has no JSON is a mistake in the program, and must not result in a broken document. The panic names the
// type.
func TestValueWithoutJSON(t *testing.T) {
	defer func() {
		got := recover()
		if _, ok := got.(*json.UnsupportedTypeError); !ok {
			t.Errorf("Value of a channel panics with %v, want the error of the encoder", got)
		}
	}()
	New(nil).Value(make(chan int))
}

func TestDocument(t *testing.T) {
	var out bytes.Buffer
	d := New(&out)
	d.Open(ToolOf("1.2"))
	d.Text(`,"list":[`)
	if err := Elements(d, slices.Values([]int{1, 2, 3}), func(n int) { d.Value(n) }); err != nil {
		t.Fatal(err)
	}
	d.Text("]}")
	if err := d.Flush(); err != nil {
		t.Fatal(err)
	}
	want := `{"name":"webcap","version":"1.2","list":[` + "\n1,\n2,\n3]}"
	if out.String() != want {
		t.Errorf("got  %s\nwant %s", &out, want)
	}
}

// Elements stops at the first error of the writer, and does not collect the remaining elements in memory.
func TestElementsFail(t *testing.T) {
	long := strings.Repeat("x", 1<<17) // longer than what a Document keeps in memory
	d, n := New(&fullWriter{}), 0
	err := Elements(d, slices.Values([]string{long, long, long}), func(s string) { n++; d.Value(s) })
	if !errors.Is(err, errFull) || n != 1 {
		t.Errorf("error %v after %d elements, want %v after 1", err, n, errFull)
	}
}

func TestText(t *testing.T) {
	for _, tt := range []struct{ in, want string }{
		{"", ""},
		{"Zürich\n", "Zürich\n"},
		{"\xff", `\xff`},
		{"a\xc3", `a\xc3`}, // the first byte of two
		{"\x80é\xfe\xfd", `\x80é\xfe\xfd`},
		{"real \uFFFD", "real \uFFFD"},
		{"real \uFFFD and \xff", "real \uFFFD and " + `\xff`},
	} {
		if got := rule.Text(tt.in); got != tt.want {
			t.Errorf("rule.Text(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

// encoded returns the JSON of v, as a Document writes it.
func encoded(v any) string {
	d := New(nil)
	d.Value(v)
	return d.String()
}
