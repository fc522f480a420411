package object

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// sketch prints an object with its contents: kinds and decoded values.
func sketch(o Object) string {
	switch o.Kind() {
	case Null:
		return "null"
	case Boolean:
		v, _ := o.Bool()
		return fmt.Sprint(v)
	case Integer, Real:
		return o.Kind().String() + " " + string(o.Raw())
	case String:
		s, _ := o.AppendString(nil)
		return fmt.Sprintf("%q", s)
	case Name:
		n, _ := o.Name()
		return fmt.Sprintf("/%q", n)
	case Reference:
		r, _ := o.Ref()
		return r.String()
	case Array:
		var out []string
		l, _ := o.Array()
		for e := range l.All() {
			out = append(out, sketch(e))
		}
		return "[" + strings.Join(out, ", ") + "]"
	default:
		var out []string
		d, _ := o.Dict()
		for k, v := range d.All() {
			out = append(out, fmt.Sprintf("%s: %s", k, sketch(v)))
		}
		return o.Kind().String() + "{" + strings.Join(out, ", ") + "}"
	}
}

func TestParse(t *testing.T) {
	tests := []struct {
		name, in, want string
		rest           string // remainder after the object
	}{
		{"null", "null", "null", ""},
		{"true", "true", "true", ""},
		{"false", "false ", "false", " "},
		{"integer", "12", "integer 12", ""},
		{"signed integers", "[+17 -98 0]", "[integer +17, integer -98, integer 0]", ""},
		{"reals", "[34.5 -3.62 +123.6 4. -.002 0.0]",
			"[real 34.5, real -3.62, real +123.6, real 4., real -.002, real 0.0]", ""},
		{"numbers as broken writers spell them", "[0.00-35 --5 - . 1.2.3]",
			"[real 0.00-35, real --5, real -, real ., real 1.2.3]", ""},
		{"integer before delimiter", "1<61>", "integer 1", "<61>"},
		{"literal string", "(a b)", `"a b"`, ""},
		{"literal string with parentheses", "(a(b(c)d)e)f", `"a(b(c)d)e"`, "f"},
		{"literal string with escaped parentheses", `(a\(b)c)`, `"a(b"`, "c)"},
		{"literal string ending in a reverse solidus", `(a\\)b`, `"a\\"`, "b"},
		{"literal string with what is not a comment", "(a%b)", `"a%b"`, ""},
		{"hexadecimal string", "<48656c6C6F>", `"Hello"`, ""},
		{"empty strings", "[()<>]", `["", ""]`, ""},
		{"name", "/Name1", `/"Name1"`, ""},
		{"names end at delimiters", "[/A/B(c)/D<65>/F[/G]/H%i\n/J]",
			`[/"A", /"B", "c", /"D", "e", /"F", [/"G"], /"H", /"J"]`, ""},
		{"empty name", "[/ /A]", `[/"", /"A"]`, ""},
		{"array", "[549 3.14 false (Ralph) /SomeName]", `[integer 549, real 3.14, false, "Ralph", /"SomeName"]`, ""},
		{"empty array", "[ ]", "[]", ""},
		{"dictionary", "<</A 1/B[2]/C<</D null>>>>", "dictionary{A: integer 1, B: [integer 2], C: dictionary{D: null}}",
			""},
		{"empty dictionary", "<<>>", "dictionary{}", ""},
		{"dictionary with a name as value", "<</A/B>>", `dictionary{A: /"B"}`, ""},
		{"dictionary with a key twice", "<</A 1/A 2>>", "dictionary{A: integer 1, A: integer 2}", ""},
		{"dictionary key with escape", "<</A#42 1>>", "dictionary{AB: integer 1}", ""},
		{"stream", "<</Length 1>>\nstream\nx\nendstream", "stream{Length: integer 1}", "\nstream\nx\nendstream"},
		{"only dictionaries are streams", "(a)stream", `"a"`, "stream"},
		{"dictionary before something else", "<</A 1>> endobj", "dictionary{A: integer 1}", " endobj"},
		{"dictionaries in an array are not streams", "[<<>> null]", "[dictionary{}, null]", ""},
		{"reference", "12 0 R", "12 0 R", ""},
		{"reference before keyword", "12 0 R/A", "12 0 R", "/A"},
		{"reference over lines and comments", "12%c\r 3 % R \n R", "12 3 R", ""},
		{"reference with leading zeros", "0000000012 00000 R", "12 0 R", ""},
		{"greatest reference", "4294967295 65535 R", "4294967295 65535 R", ""},
		{"references and integers", "[1 2 3 R 4 5 6 0 R 7 0 8 0]",
			"[integer 1, 2 3 R, integer 4, integer 5, 6 0 R, integer 7, integer 0, integer 8, integer 0]", ""},
		{"signed integers are not references", "[+1 0 2 0 R -1 0]",
			"[integer +1, integer 0, 2 0 R, integer -1, integer 0]", ""},
		{"integers at the end", "12 0", "integer 12", " 0"},
		{"white space and comments before", "\x00\t\n\f\r %null\r%(\n true", "true", ""},
		{"white space and comments everywhere", "[%]\n1\x002%]\r(3)%\n]", `[integer 1, integer 2, "3"]`, ""},
		{"comments in dictionaries", "<<%>>\n/A%/B\n1%\n>>", "dictionary{A: integer 1}", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o, end, err := Parse([]byte(test.in), 0)
			if err != nil {
				t.Fatal(err)
			}
			if got := sketch(o); got != test.want {
				t.Errorf("Parse(%q) = %s, want %s", test.in, got, test.want)
			}
			if got := test.in[end:]; got != test.rest {
				t.Errorf("Parse(%q) leaves %q, want %q", test.in, got, test.rest)
			}
		})
	}
}

func TestParseTellsWhereBytesAreMalformed(t *testing.T) {
	tests := []struct {
		in     string
		offset int64
		reason string
	}{
		{"", 0, "data ends"},
		{"  % nothing", 11, "data ends"},
		{"(a\\)", 0, "literal string not closed"},
		{"((a)", 0, "literal string not closed"},
		{" [(a]", 2, "literal string not closed"},
		{"<61", 0, "hexadecimal string not closed"},
		{"[1 2", 0, "array not closed"},
		{"[<61>", 0, "array not closed"},
		{"<< /A 1", 0, "dictionary not closed"},
		{"<< /A 1 >", 8, "lone >"},
		{"<< /A >>", 6, "unexpected >"},
		{"<< /A", 5, "data ends"},
		{"<< 1 2 >>", 3, "dictionary key is not a name"},
		{"]", 0, "unexpected ]"},
		{"[1 } 2]", 3, "unexpected }"},
		{"endobj", 0, "unknown keyword"},
		{"[nul]", 1, "unknown keyword"},
		{"[truely]", 1, "unknown keyword"},
		{"[1 0 Rx]", 5, "unknown keyword"},
		{"[1 0R]", 3, "unknown keyword"},
		{"[1 65536 R]", 9, "unknown keyword"},
		{"[4294967296 0 R]", 14, "unknown keyword"},
		{"12345678901x", 0, "unknown keyword"},
		{"[00000000001 0 R]", 15, "unknown keyword"},
		{"[18446744073709551617 0 R]", 24, "unknown keyword"}, // exceeds 64 bits by 1
	}
	for _, test := range tests {
		t.Run(test.in, func(t *testing.T) {
			o, _, err := Parse([]byte(test.in), 0)
			m, ok := errors.AsType[*Malformed](err)
			if !ok || m.Offset != test.offset || !strings.Contains(m.Reason, test.reason) {
				t.Errorf("Parse(%q): %v, want offset %d: %s", test.in, err, test.offset, test.reason)
			}
			if !o.IsNull() || !IsMalformed(err) {
				t.Errorf("Parse(%q) = %v, %v", test.in, o, err)
			}
		})
	}
}

func TestParseBeginsWhereItIsTold(t *testing.T) {
	b := []byte("1 0 obj [ (a) ] endobj")
	o, end, err := Parse(b, 7)
	if err != nil || string(o.Raw()) != "[ (a) ]" || end != 15 {
		t.Errorf("Parse = %v, %d, %v", o, end, err)
	}
	// Text before the position does not count, even if it is half a reference.
	for _, in := range []string{"5 R |true", " R |true", " R |5 true"} {
		t.Run(in, func(t *testing.T) {
			before, after, _ := strings.Cut(in, "|")
			o, _, err := Parse([]byte(before+after), len(before))
			if want, _, _ := strings.Cut(after, " "); err != nil || string(o.Raw()) != want {
				t.Errorf("Parse of %q from %d on = %v, %v, want %s", before+after, len(before), o, err, want)
			}
		})
	}
	_, _, err = Parse([]byte("xx ]"), 2)
	if m, ok := errors.AsType[*Malformed](err); !ok || m.Offset != 3 {
		t.Errorf("Parse: %v, want offset 3", err)
	}
	if _, _, err = Parse(b, len(b)); !IsMalformed(err) {
		t.Errorf("Parse at the end: %v", err)
	}
}

func TestParseBoundsNesting(t *testing.T) {
	for _, brackets := range [][2]string{{"[", "]"}, {"<</A ", ">>"}, {"[<</A", ">>]"}} {
		t.Run(brackets[0], func(t *testing.T) {
			for _, depth := range []int{MaxDepth / 2, 1_000_000} {
				in := strings.Repeat(brackets[0], depth) + strings.Repeat(brackets[1], depth)
				in = strings.Replace(in, "/A>>", "/A null>>", 1)
				in = strings.Replace(in, "/A >>", "/A null>>", 1)
				_, _, err := Parse([]byte(in), 0)
				if deep := depth > MaxDepth; IsMalformed(err) != deep {
					t.Errorf("%d times %s: %v", depth, brackets[0], err)
				}
			}
		})
	}
	// Parsed objects can be walked down to the last level.
	in := strings.Repeat("[", MaxDepth+1) + strings.Repeat("]", MaxDepth+1)
	o, _, err := Parse([]byte(in), 0)
	if err != nil {
		t.Fatal(err)
	}
	if got := sketch(o); got != in {
		t.Errorf("sketch = %s", got)
	}
	if _, _, err = Parse([]byte("["+in+"]"), 0); !IsMalformed(err) {
		t.Errorf("%d levels: %v", MaxDepth+2, err)
	}
}

// checkViews checks that the bytes of an object parse as the same object, and that those of nested objects lie
// within it.
func checkViews(t *testing.T, o Object, within []byte) {
	t.Helper()
	raw := o.Raw()
	if o.IsNull() {
		if raw != nil {
			t.Fatalf("null has bytes %q", raw)
		}
		return
	}
	// If both are slices of one array, their capacities end at the same byte, so the difference is the offset.
	if at := cap(within) - cap(raw); at < 0 || at+len(raw) > len(within) || len(raw) == 0 || &within[at] != &raw[0] {
		t.Fatalf("%v is not within %q", o, within)
	}
	again, end, err := Parse(raw, 0)
	kind := o.Kind()
	if kind == Stream {
		kind = Dictionary
	}
	if err != nil || end != len(raw) || again.Kind() != kind || !bytes.Equal(again.Raw(), raw) {
		t.Fatalf("%q as %v parses as %v, %v, %d bytes, %v", raw, o.Kind(), again, again.Kind(), end, err)
	}
	if r, ok := o.Ref(); ok {
		if s, _ := again.Ref(); s != r {
			t.Fatalf("%q is %v, then %v", raw, r, s)
		}
	}
	if d, ok := o.Dict(); ok {
		n := 0
		for _, v := range d.All() {
			checkViews(t, v, raw)
			n++
		}
		if n != d.Len() || !bytes.Equal(d.Raw(), raw) {
			t.Fatalf("%q: %d entries, Len %d", raw, n, d.Len())
		}
	}
	if l, ok := o.Array(); ok {
		n := 0
		for v := range l.All() {
			checkViews(t, v, raw)
			n++
		}
		if n != l.Len() {
			t.Fatalf("%q: %d elements, Len %d", raw, n, l.Len())
		}
	}
	o.Bool()
	o.Int()
	o.Number()
	o.Name()
	o.AppendString(nil)
	if c := o.Clone(); c.Kind() != o.Kind() || !bytes.Equal(c.Raw(), raw) || sketch(c) != sketch(o) {
		t.Fatalf("%v clones as %v", o, c)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"<< /S /SPS /ID <00ff> /O [ 1 0 R 2 0 R ] /SI << /AU 3 0 R /TS (D:20030916170530) >> /T#20x true >>",
		"[ 1 2 3 R 4 0\n R 5 %6 0\r0 R +1 -2 .5 null (a\\)\\053(\r\n)) <4 1 g> %c\n / ]", "<< >> stream\n",
		"[[[<</A<<>>>>]]]", "1 0", "(", "<", "<<", "[", "/",
	} {
		f.Add([]byte(s), 0)
	}
	f.Fuzz(func(t *testing.T, b []byte, p int) {
		if p < 0 || p > len(b) || len(b) > 2000 {
			t.Skip()
		}
		o, end, err := Parse(b, p)
		if m, ok := errors.AsType[*Malformed](err); ok {
			if m.Offset < int64(p) || m.Offset > int64(len(b)) || m.Reason == "" {
				t.Fatalf("%v, of %d bytes from %d", err, len(b), p)
			}
			return
		}
		if err != nil || end <= p || end > len(b) {
			t.Fatalf("end %d of %d bytes from %d, %v", end, len(b), p, err)
		}
		checkViews(t, o, b[p:end])
		if again, end2, err := Parse(b[:end], p); err != nil || end2 != end ||
			again.Kind() != o.Kind() && o.Kind() != Stream {
			t.Fatalf("%q is %v, without what comes after it %v, %v", b[p:end], o.Kind(), again.Kind(), err)
		}
	})
}

const contentSet = `<< /CT (text/html) /ID 70 0 R /O [11 0 R 23 0 R 28 0 R 30 0 R 38 0 R 40 0 R] /S /SPS
	/SI << /AU 69 0 R /TS (D:20030916170530) >> /T (Aquarium Fishes) /TID 73 0 R /TS (D:20030916170530) >>`

func BenchmarkParse(b *testing.B) {
	in := []byte(contentSet)
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := Parse(in, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDictLookup(b *testing.B) {
	o, _, err := Parse([]byte(contentSet), 0)
	if err != nil {
		b.Fatal(err)
	}
	d, _ := o.Dict()
	b.ReportAllocs()
	for b.Loop() {
		if d.Lookup("TID").Kind() != Reference {
			b.Fatal("no TID")
		}
	}
}
