package object

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestAccessorsKnowTheirKind(t *testing.T) {
	objects := []struct {
		in   string
		kind Kind
	}{
		{"null", Null}, {"true", Boolean}, {"1", Integer}, {"1.", Real}, {"(1)", String}, {"<31>", String},
		{"/1", Name}, {"[1]", Array}, {"<</A 1>>", Dictionary}, {"<</A 1>>stream", Stream}, {"1 0 R", Reference},
	}
	for _, test := range objects {
		t.Run(test.in, func(t *testing.T) {
			o, _, err := Parse([]byte(test.in), 0)
			if err != nil {
				t.Fatal(err)
			}
			if o.Kind() != test.kind || o.IsNull() != (test.kind == Null) {
				t.Errorf("%s is of kind %v, want %v", test.in, o.Kind(), test.kind)
			}
			check := func(accessor string, got bool, kinds ...Kind) {
				want := false
				for _, k := range kinds {
					want = want || k == test.kind
				}
				if got != want {
					t.Errorf("%s: %s says %v", test.in, accessor, got)
				}
			}
			_, ok := o.Bool()
			check("Bool", ok, Boolean)
			_, ok = o.Int()
			check("Int", ok, Integer)
			_, ok = o.Number()
			check("Number", ok, Integer, Real)
			_, ok = o.AppendString(nil)
			check("AppendString", ok, String)
			name, ok := o.Name()
			check("Name", ok, Name)
			check("Name", name != nil, Name)
			_, ok = o.Array()
			check("Array", ok, Array)
			_, ok = o.Dict()
			check("Dict", ok, Dictionary, Stream)
			_, ok = o.Ref()
			check("Ref", ok, Reference)
		})
	}
	var zero Object
	if !zero.IsNull() || zero.Raw() != nil || zero.IsName("") {
		t.Errorf("the zero Object is %v", zero)
	}
}

func TestNumbers(t *testing.T) {
	tests := []struct {
		in      string
		integer bool
		want    float64
		ok      bool
	}{
		{"0", true, 0, true},
		{"+17", true, 17, true},
		{"-98", true, -98, true},
		{"9223372036854775807", true, math.MaxInt64, true},
		{"9223372036854775808", false, math.MaxInt64, true},
		{"34.5", false, 34.5, true},
		{"4.", false, 4, true},
		{"-.002", false, -.002, true},
		{"+.5", false, .5, true},
		{"1.2.3", false, 0, false},
		{"--5", false, 0, false},
		{"0.00-35", false, 0, false},
		{".", false, 0, false},
		{"+", false, 0, false},
	}
	for _, test := range tests {
		t.Run(test.in, func(t *testing.T) {
			o := mustParse(t, test.in)
			if f, ok := o.Number(); ok != test.ok || ok && f != test.want {
				t.Errorf("Number of %s = %v, %v, want %v, %v", test.in, f, ok, test.want, test.ok)
			}
			if n, ok := o.Int(); ok != test.integer || ok && float64(n) != test.want {
				t.Errorf("Int of %s = %d, %v, want %v, %v", test.in, n, ok, test.want, test.integer)
			}
		})
	}
}

func TestDictLookup(t *testing.T) {
	d, _ := mustParse(t, "<< /A 1 /B << /A 2 >> /A 3 /#43 4 / 5 /N null >>").Dict()
	for _, test := range []struct{ key, want string }{
		{"A", "3"}, {"B", "<< /A 2 >>"}, {"C", "4"}, {"", "5"}, {"N", "null"}, {"D", "null"}, {"#43", "null"},
	} {
		t.Run(test.key, func(t *testing.T) {
			if got := fmt.Sprintf("%v", d.Lookup(test.key)); got != test.want {
				t.Errorf("Lookup(%q) = %s, want %s", test.key, got, test.want)
			}
		})
	}
	if d.Len() != 6 {
		t.Errorf("Len = %d, want 6", d.Len())
	}
	for range d.All() {
		break
	}
}

func TestZeroDictAndListAreEmpty(t *testing.T) {
	var d Dict
	var l List
	if d.Len() != 0 || l.Len() != 0 || !d.Lookup("A").IsNull() || d.Raw() != nil {
		t.Errorf("zero Dict has %d entries, zero List %d elements", d.Len(), l.Len())
	}
	l, _ = mustParse(t, "[1 2]").Array()
	for range l.All() {
		break
	}
}

func TestListsAreCutFromTheFront(t *testing.T) {
	for _, text := range []string{"[]", "[ ]", "[1]", "[1 0 R(b)/N[ 2 ]<<>> null ]", "[%]\n1 2%]\n]"} {
		t.Run(text, func(t *testing.T) {
			whole, _ := mustParse(t, text).Array()
			var want, got []string
			for o := range whole.All() {
				want = append(want, sketch(o))
			}
			for rest := whole; ; {
				first, after, ok := rest.Cut()
				if !ok {
					break
				}
				if got = append(got, sketch(first)); after.Len() != whole.Len()-len(got) {
					t.Errorf("after %d elements of %s %d are left", len(got), text, after.Len())
				}
				rest = after
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s is cut into %q, want %q", text, got, want)
			}
		})
	}
	if _, _, ok := (List{}).Cut(); ok {
		t.Error("the zero List has an element")
	}
}

func TestCloneSurvivesItsSource(t *testing.T) {
	b := []byte("<< /A [ 1 0 R (b) ] >>")
	o, _, err := Parse(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	c, want := o.Clone(), sketch(o)
	clear(b)
	if got := sketch(c); got != want {
		t.Errorf("clone is %s, want %s", got, want)
	}
}

func TestReferences(t *testing.T) {
	o := MakeRef(Ref{12, 3})
	if r, ok := o.Ref(); r != (Ref{12, 3}) || !ok || o.Raw() != nil || fmt.Sprintf("%v", o) != "12 3 R" {
		t.Errorf("MakeRef = %v, %v", o, ok)
	}
	sorted := []Ref{{0, 0}, {0, 65535}, {1, 0}, {1, 1}, {math.MaxUint32, 0}, {math.MaxUint32, 65535}}
	for i, r := range sorted {
		t.Run(fmt.Sprint(r.Num), func(t *testing.T) {
			for j, s := range sorted {
				if got := r.Compare(s); (got < 0) != (i < j) || (got > 0) != (i > j) {
					t.Errorf("%v.Compare(%v) = %d", r, s, got)
				}
			}
		})
	}
}

func TestKindString(t *testing.T) {
	for k, want := range kindNames {
		if got := Kind(k).String(); got != want || got == "" {
			t.Errorf("Kind(%d) = %q", k, got)
		}
	}
}

func TestCharacterClasses(t *testing.T) {
	for c := range 256 {
		isSpace := c == 0 || c == 9 || c == 10 || c == 12 || c == 13 || c == 32
		isDelimiter := c != 0 && bytesOf("()<>[]{}/%")[byte(c)]
		if IsSpace(byte(c)) != isSpace || IsRegular(byte(c)) != (!isSpace && !isDelimiter) {
			t.Errorf("%q: space %v, regular %v", rune(c), IsSpace(byte(c)), IsRegular(byte(c)))
		}
	}
	if got := SkipSpace([]byte(" %a\r\n%b"), 0); got != 7 {
		t.Errorf("SkipSpace = %d, want 7: the end", got)
	}
}

func bytesOf(s string) map[byte]bool {
	m := make(map[byte]bool)
	for i := range len(s) {
		m[s[i]] = true
	}
	return m
}
