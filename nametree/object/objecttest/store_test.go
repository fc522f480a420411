package objecttest

import (
	"errors"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

func TestStoreHoldsObjectsAsText(t *testing.T) {
	s := New(t, `
		% a comment, and objects as they stand in a file
		root: << /Kids [ 12 0 R ] >>
		12 0 obj << /Names [ (endobj) 13 1 R ] >> endobj
		13 1 obj
		<< /Length 1 >>
		stream
endobj
endstream
		endobj
		14 0 obj 1 endobj 14 0 obj 2 endobj
		15 0 obj [ endobj
		16 0 obj endobj
		url: (http://a/)
	`)
	tests := []struct {
		ref  object.Ref
		kind object.Kind
		raw  string
		bad  bool
	}{
		{object.Ref{Num: 12}, object.Dictionary, "<< /Names [ (endobj) 13 1 R ] >>", false},
		{object.Ref{Num: 13, Gen: 1}, object.Stream, "<< /Length 1 >>", false},
		{object.Ref{Num: 13}, object.Null, "", false},
		{object.Ref{Num: 14}, object.Integer, "2", false},
		{object.Ref{Num: 15}, object.Null, "", true},
		{object.Ref{Num: 16}, object.Null, "", true},
		{object.Ref{Num: 17}, object.Null, "", false},
	}
	for i, test := range tests {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			o, err := s.Get(test.ref)
			if o.Kind() != test.kind || string(o.Raw()) != test.raw || object.IsMalformed(err) != test.bad {
				t.Errorf("Get(%v) = %v %q, %v, want %v %q", test.ref, o.Kind(), o.Raw(), err, test.kind, test.raw)
			}
			if m, ok := errors.AsType[*object.Malformed](err); ok && m.Ref != test.ref {
				t.Errorf("Get(%v): %v: does not tell the object", test.ref, err)
			}
		})
	}
	if got := s.Gets(); got != len(tests) {
		t.Errorf("Gets() = %d, want %d", got, len(tests))
	}
	if got := string(s.Object("root").Raw()); got != "<< /Kids [ 12 0 R ] >>" {
		t.Errorf("root is %q", got)
	}
	if got := string(s.Object("url").Raw()); got != "(http://a/)" {
		t.Errorf("url is %q", got)
	}
	if o := s.Object("none"); !o.IsNull() {
		t.Errorf("none is %v", o)
	}
}

func TestStoreFailsWhenToldTo(t *testing.T) {
	s := New(t, `1 0 obj 5 endobj`)
	s.Fail, s.After = errors.New("the disk is broken"), 2
	for i, want := range []error{nil, nil, s.Fail, s.Fail} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if _, err := s.Get(object.Ref{Num: 1}); !errors.Is(err, want) || (err == nil) != (want == nil) {
				t.Errorf("Get %d: %v, want %v", i, err, want)
			}
		})
	}
}

func TestParseRefusesOtherText(t *testing.T) {
	for _, text := range []string{
		"x", "root: [", "1 0 obj 5", "1 0 5 endobj", "1 obj 5 endobj", "-1 0 obj 5 endobj", "1 65536 obj 5 endobj",
		"4294967296 0 obj 5 endobj", "(a) 0 obj 5 endobj", "1 0 obj 5 endobj y", ": 5", "1", "1 0 R",
	} {
		t.Run(text, func(t *testing.T) {
			if s, err := Parse(text); err == nil || s != nil {
				t.Errorf("Parse(%q) = %v, %v, want an error", text, s, err)
			}
		})
	}
}

func TestZeroStoreIsReady(t *testing.T) {
	var s Store
	if o, err := s.Get(object.Ref{Num: 1}); !o.IsNull() || err != nil || !s.Object("x").IsNull() {
		t.Errorf("Get = %v, %v", o, err)
	}
	s.Set(object.Ref{Num: 1}, "/A")
	if o, err := s.Get(object.Ref{Num: 1}); !o.IsName("A") || err != nil {
		t.Errorf("Get = %v, %v", o, err)
	}
}

func Example() {
	s, err := Parse(`root: 4 0 R 4 0 obj << /Names [ (a) 8 0 R ] >> endobj`)
	if err != nil {
		fmt.Println(err)
		return
	}
	o, err := object.Resolve(s, s.Object("root"))
	fmt.Printf("%v %s %v\n", o.Kind(), o.Raw(), err)
	// Output: dictionary << /Names [ (a) 8 0 R ] >> <nil>
}
