package nametree

import (
	"fmt"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/nametree/object/objecttest"
)

// checkReadAgain checks that rereading a tree gives want, the result of a first reading, and returns how many
// objects it read.
func checkReadAgain(tb testing.TB, s *objecttest.Store, was *Tree, root object.Object, want *Tree,
	same func(object.Ref) bool) int {
	tb.Helper()
	before := s.Gets()
	got, err := ReadAgain(s, root, unlimited, was, same)
	if err != nil {
		tb.Fatal(err)
	}
	gets := s.Gets() - before
	check(tb, got)
	for _, differ := range []struct{ got, want any }{
		{got.Len(), want.Len()},
		{got.NodeCount(), want.NodeCount()},
		{lines(got), lines(want)},
		{nodes(got), nodes(want)},
		{entries(got), entries(want)},
	} {
		if a, b := fmt.Sprintf("%v", differ.got), fmt.Sprintf("%v", differ.want); a != b {
			tb.Errorf("read again it is\n%s\nshould be\n%s", a, b)
		}
	}
	return gets
}

func nodes(t *Tree) (list []Node) {
	for i := range t.NodeCount() {
		list = append(list, t.Node(i))
	}
	return list
}

func entries(t *Tree) (list []string) {
	for _, e := range t.Entries() {
		list = append(list, fmt.Sprintf("%+v %d %s", e, e.Value.Kind(), e.Value.Append(nil)))
	}
	return list
}

// TestReadAgainReadsWhatChanged: unchanged leaves are not read, unless a part of them is another object, or they
// have a defect.
func TestReadAgainReadsWhatChanged(t *testing.T) {
	const rest = " 3 0 obj << /Limits [ (e) (f) ] /Names [ (e) 15 0 R (f) null ] >> endobj 4 0 obj << /Limits [ () () ] /Names [ () [ 1 2 ] ] >> endobj "
	for name, c := range map[string]struct {
		root, leaf string // before
		put        map[uint32]string
		gets       int
	}{
		"nothing": {"[ 4 0 R 1 0 R ]", "/Limits [ (a) (b) ] /Names [ (a) 11 0 R (b) 12 0 R ]", nil, 0},
		"the leaf": {"[ 4 0 R 1 0 R ]", "/Limits [ (a) (b) ] /Names [ (a) 11 0 R (b) 12 0 R ]",
			map[uint32]string{1: "<< /Limits [ (a) (c) ] /Names [ (a) 11 0 R (c) << >> ] >>"}, 2},
		"the leaf, no key": {"[ 4 0 R 1 0 R ]", "/Limits [ (a) (b) ] /Names [ (a) 11 0 R (b) 12 0 R ]",
			map[uint32]string{1: "<< /Limits [ () () ] /Names [ () 11 0 R ] >>"}, 2},
		"the leaf before": {"[ 4 0 R 1 0 R ]", "/Limits [ (a) (b) ] /Names [ (a) 11 0 R (b) 12 0 R ]",
			map[uint32]string{4: "<< /Limits [ (a) (x) ] /Names [ (a) 1 (x) 2 ] >>"}, 2},
		"a leaf overlaps it": {"[ 1 0 R 3 0 R ]", "/Limits [ (a) (c) ] /Names [ (a) 11 0 R (c) 12 0 R ]",
			map[uint32]string{3: "<< /Limits [ (b) (x) ] /Names [ (b) 1 (x) 2 ] >>"}, 2},
		"a node above": {"[ 4 0 R 9 0 R ]", "/Limits [ (a) (b) ] /Names [ (a) 11 0 R (b) 12 0 R ]",
			map[uint32]string{9: "<< /Limits [ (a) (f) ] /Kids [ 1 0 R 3 0 R ] >>"}, 3},
		"the keys": {"[ 4 0 R 1 0 R ]", "/Limits [ (a) (b) ] /Names [ (a) 11 0 R 8 0 R 12 0 R ]",
			map[uint32]string{8: "(c)"}, 3},
		"the limits": {"[ 4 0 R 1 0 R ]", "/Limits 8 0 R /Names [ (a) 11 0 R (b) 12 0 R ]",
			map[uint32]string{8: "[ (a) (c) ]"}, 3},
		"one of the limits": {"[ 4 0 R 1 0 R ]", "/Limits [ (a) 8 0 R ] /Names [ (a) 11 0 R (b) 12 0 R ]",
			map[uint32]string{8: "(c)"}, 3},
		"the pairs": {"[ 4 0 R 1 0 R ]", "/Limits [ (a) (b) ] /Names 8 0 R",
			map[uint32]string{8: "[ (b) 1 ]"}, 3},
		"a leaf that is null": {"[ 4 0 R 3 0 R ]", "/Names [ ]", nil, 2},
		"a leaf in disorder":  {"[ 4 0 R 1 0 R ]", "/Limits [ (a) (b) ] /Names [ (b) 11 0 R (a) 12 0 R ]", nil, 2},
		"a leaf of two keys":  {"[ 4 0 R 1 0 R ]", "/Limits [ (a) (a) ] /Names [ (a) 11 0 R (a) 12 0 R ]", nil, 2},
		"the kids": {"5 0 R", "/Limits [ (a) (b) ] /Names [ (a) 11 0 R (b) 12 0 R ]",
			map[uint32]string{5: "[ 1 0 R 3 0 R ]"}, 3},
		"what leads to a kid": {"[ 4 0 R 6 0 R ]", "/Limits [ (a) (b) ] /Names [ (a) 11 0 R (b) 12 0 R ]",
			map[uint32]string{6: "3 0 R"}, 3},
		"a leaf twice": {"[ 4 0 R 1 0 R 1 0 R ]", "/Limits [ (a) (b) ] /Names [ (a) 11 0 R (b) 12 0 R ]", nil,
			1},
	} {
		t.Run(name, func(t *testing.T) {
			s := objecttest.New(t, "root: 7 0 R 7 0 obj << /Kids "+c.root+" >> endobj 1 0 obj << "+c.leaf+" >> endobj"+
				rest+"5 0 obj [ 4 0 R 1 0 R ] endobj 6 0 obj 1 0 R endobj 8 0 obj (b) endobj 9 0 obj << /Limits [ (a) (b) ] /Kids [ 1 0 R ] >> endobj")
			was, err := Read(s, s.Object("root"))
			if err != nil {
				t.Fatal(err)
			}
			for num, text := range c.put {
				s.Set(object.Ref{Num: num}, text)
			}
			want, err := Read(s, s.Object("root"))
			if err != nil {
				t.Fatal(err)
			}
			gets := checkReadAgain(t, s, was, s.Object("root"), want,
				func(ref object.Ref) bool { return c.put[ref.Num] == "" })
			if gets != c.gets {
				t.Errorf("%d objects were read, want %d", gets, c.gets)
			}
		})
	}
}

func TestReadAgainOfAnotherRoot(t *testing.T) {
	s := objecttest.New(t, "root: 2 0 R 1 0 obj << /Names [ (a) 1 ] >> endobj 2 0 obj << /Names [ (b) 2 ] >> endobj")
	was, err := Read(s, object.MakeRef(object.Ref{Num: 1}))
	if err != nil {
		t.Fatal(err)
	}
	want, err := Read(s, s.Object("root"))
	if err != nil {
		t.Fatal(err)
	}
	checkReadAgain(t, s, was, s.Object("root"), want, func(object.Ref) bool { return true })
}
