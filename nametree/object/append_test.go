package object_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

func TestAppendStringIsReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 2000 {
		s := make([]byte, r.IntN(20))
		for i := range s {
			s[i] = byte(r.IntN(256))
			if n%2 == 0 {
				s[i] = "ab()\\/<>% 0n"[r.IntN(12)]
			}
		}
		text := object.AppendString(nil, s)
		o, end, err := object.Parse(text, 0)
		got, ok := o.AppendString(nil)
		if err != nil || end != len(text) || !ok || string(got) != string(s) {
			t.Fatalf("%q is written as %q and read as %q: %v", s, text, got, err)
		}
		name := object.AppendName(nil, s)
		if o, _, err = object.Parse(name, 0); err != nil || !o.IsName(string(s)) {
			t.Fatalf("the name %q is written as %q: %v", s, name, err)
		}
	}
}

// Readable strings and names are written unescaped, because people look into the files.
func TestAppendKeepsTextLegible(t *testing.T) {
	for _, row := range []struct{ in, str, name string }{
		{"", "()", "/"},
		{"a b~", "(a b~)", "/a#20b~"},
		{"!a", "(!a)", "/!a"},
		{"a(b)\\", `(a\(b\)\\)`, "/a#28b#29\\"},
		{"A#1", "(A#1)", "/A#231"},
		{"a/b%", "(a/b%)", "/a#2fb#25"},
		{"a\x1f", "<611f>", "/a#1f"},
		{"a\x7f", "<617f>", "/a#7f"},
		{"\xff", "<ff>", "/#ff"},
	} {
		t.Run(row.name, func(t *testing.T) {
			if got := string(object.AppendString(nil, []byte(row.in))); got != row.str {
				t.Errorf("the string %q is written as %s, want %s", row.in, got, row.str)
			}
			if got := string(object.AppendName(nil, []byte(row.in))); got != row.name {
				t.Errorf("the name %q is written as %s, want %s", row.in, got, row.name)
			}
		})
	}
}

func TestAppendOfObjectsWithoutBytes(t *testing.T) {
	if got := string(object.MakeRef(object.Ref{Num: 12, Gen: 3}).Append(nil)); got != "12 3 R" {
		t.Errorf("a made reference is written as %q", got)
	}
	if got := string(object.Object{}.Append(nil)); got != "null" {
		t.Errorf("null is written as %q", got)
	}
}

func TestAppendWith(t *testing.T) {
	o, _, err := object.Parse([]byte("<</A 1 /B#20x [2 0 R] /A 3 % a comment\n/C (c)>>"), 0)
	if err != nil {
		t.Fatal(err)
	}
	d, _ := o.Dict()
	for i, c := range []struct {
		set  []object.Setting
		want string
	}{
		{nil, "<</A 1\n/B#20x [2 0 R]\n/A 3\n/C (c)\n>>"},
		{[]object.Setting{{"A", []byte("9")}}, "<</A 9\n/B#20x [2 0 R]\n/C (c)\n>>"},
		{[]object.Setting{{"A", nil}, {"C", nil}, {"D", nil}}, "<</B#20x [2 0 R]\n>>"},
		{[]object.Setting{{"D e", []byte("1")}, {"B x", []byte("2")}}, "<</A 1\n/B#20x 2\n/A 3\n/C (c)\n/D#20e 1\n>>"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := string(d.AppendWith(nil, c.set...)); got != c.want {
				t.Errorf("%v: got %q, want %q", c.set, got, c.want)
			}
		})
	}
}

func ExampleDict_AppendWith() {
	o, _, _ := object.Parse([]byte("<< /Names 4 0 R /Private (x) >>"), 0)
	d, _ := o.Dict()
	fmt.Printf("%s\n", d.AppendWith(nil, object.Setting{Key: "Names", Value: object.Ref{Num: 9}.Append(nil)}))
	// Output:
	// <</Names 9 0 R
	// /Private (x)
	// >>
}
