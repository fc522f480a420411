package object_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/nametree/object/objecttest"
)

func TestResolve(t *testing.T) {
	s := objecttest.New(t, `
		direct: (d) one: 1 0 R two: 2 0 R self: 4 0 R none: 5 0 R bad: 6 0 R
		1 0 obj (x) endobj 2 0 obj 1 0 R endobj 4 0 obj 4 0 R endobj 6 0 obj ( endobj
	`)
	for _, test := range []struct{ label, want string }{{"direct", "(d)"}, {"one", "(x)"}, {"two", "(x)"},
		{"none", "null"}} {
		t.Run(test.label, func(t *testing.T) {
			o, err := object.Resolve(s, s.Object(test.label))
			if got := fmt.Sprintf("%v", o); got != test.want || err != nil {
				t.Errorf("Resolve of %s = %s, %v, want %s", test.label, got, err, test.want)
			}
		})
	}
	for _, label := range []string{"self", "bad"} {
		t.Run(label, func(t *testing.T) {
			if o, err := object.Resolve(s, s.Object(label)); !o.IsNull() || !object.IsMalformed(err) {
				t.Errorf("Resolve of %s = %v, %v, want a malformed object", label, o, err)
			}
		})
	}
	s.Fail = errors.New("the disk is broken")
	if _, err := object.Resolve(s, s.Object("one")); !errors.Is(err, s.Fail) || object.IsMalformed(err) {
		t.Errorf("Resolve of one: %v, want the failure", err)
	}
}

func TestResolveBoundsChains(t *testing.T) {
	var s objecttest.Store
	for i := range 30 {
		s.Set(object.Ref{Num: uint32(i)}, fmt.Sprintf("%d 0 R", i+1))
	}
	s.Set(object.Ref{Num: 30}, "(end)")
	for _, test := range []struct {
		hops int
		ok   bool
	}{{1, true}, {16, true}, {17, false}, {30, false}} {
		t.Run(fmt.Sprint(test.hops), func(t *testing.T) {
			o, err := object.Resolve(&s, object.MakeRef(object.Ref{Num: uint32(31 - test.hops)}))
			if (o.Kind() == object.String) != test.ok || object.IsMalformed(err) == test.ok || (err == nil) != test.ok {
				t.Errorf("%d hops: %v, %v", test.hops, o, err)
			}
		})
	}
}

func TestFollowTellsTheLastReference(t *testing.T) {
	s := objecttest.New(t, `
		direct: (d) one: 1 0 R two: 2 0 R self: 4 0 R none: 5 0 R bad: 7 0 R
		1 0 obj (x) endobj 2 0 obj 1 0 R endobj 4 0 obj 4 0 R endobj 6 0 obj ( endobj 7 0 obj 6 0 R endobj
	`)
	for _, test := range []struct {
		label string
		want  uint32
	}{{"direct", 0}, {"one", 1}, {"two", 1}, {"none", 5}, {"self", 4}, {"bad", 6}} {
		t.Run(test.label, func(t *testing.T) {
			if _, ref, _ := object.Follow(s, s.Object(test.label)); ref.Num != test.want {
				t.Errorf("Follow of %s comes to %v, want %d 0 R", test.label, ref, test.want)
			}
		})
	}
}

func TestMalformedSaysWhere(t *testing.T) {
	err := fmt.Errorf("file: %w", &object.Malformed{Ref: object.Ref{Num: 7, Gen: 1}, Offset: 3,
		Reason: "array not closed"})
	if got := err.Error(); got != "file: object 7 1: offset 3: array not closed" || !object.IsMalformed(err) {
		t.Errorf("error is %q", got)
	}
	if got := (&object.Malformed{Offset: 3, Reason: "r"}).Error(); got != "offset 3: r" {
		t.Errorf("error is %q", got)
	}
	if got := (&object.Malformed{Reason: "r"}).Error(); got != "r" {
		t.Errorf("error is %q", got)
	}
	if object.IsMalformed(nil) || object.IsMalformed(errors.New("x")) {
		t.Errorf("IsMalformed takes any error")
	}
}

func ExampleParse() {
	o, _, err := object.Parse([]byte(`<< /S /SPS /ID <6aff> /O [ 11 0 R 23 0 R ] /T (Fish \(and chips\)) >>`), 0)
	if err != nil {
		fmt.Println(err)
		return
	}
	d, _ := o.Dict()
	title, _ := d.Lookup("T").AppendString(nil)
	fmt.Printf("%s\n", title)
	pages, _ := d.Lookup("O").Array()
	for p := range pages.All() {
		fmt.Println(p.Ref())
	}
	// Output:
	// Fish (and chips)
	// 11 0 R true
	// 23 0 R true
}

func ExampleResolve() {
	src, err := objecttest.Parse(`id: 330 0 R 330 0 obj <3cee7e4b> endobj`)
	if err != nil {
		fmt.Println(err)
		return
	}
	o, err := object.Resolve(src, src.Object("id"))
	fmt.Printf("%v %s %v\n", o.Kind(), o.Raw(), err)
	// Output: string <3cee7e4b> <nil>
}
