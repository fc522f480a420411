package nametree

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/nametree/object/objecttest"
)

// text returns an object of a store in one line.
func text(tb testing.TB, s *objecttest.Store, ref object.Ref) string {
	tb.Helper()
	o, err := s.Get(ref)
	if err != nil {
		tb.Fatal(err)
	}
	return strings.ReplaceAll(string(o.Append(nil)), "\n", " ")
}

// harmlessAfter are the defects that Write may leave.
var harmlessAfter = map[DefectKind]bool{
	ForeignKey: true, KeyTwice: true, ValueNull: true,
	OddNames: true, KeyNull: true, KeyNotString: true, KeyUnreadable: true,
}

// checkWritten checks the promises of Write for the result of e, and returns the tree read back.
func checkWritten(tb testing.TB, s *objecttest.Store, e *Edit, root object.Object) *Tree {
	tb.Helper()
	puts := slices.Clone(s.Puts())
	tree, err := Read(s, root, nil)
	if err != nil {
		tb.Fatal(err)
	}
	check(tb, tree)
	i := 0
	for _, want := range result(e) {
		if want.Value == nil {
			want.Value = e.t.Entry(want.Origin).Value.Append(nil)
		}
		if i >= tree.Len() {
			tb.Fatalf("entry %d, %v, is not in the tree", i, want.Key)
		}
		got := tree.Entry(i)
		if got.Key != want.Key || got.KeyRef != want.KeyRef || string(got.Value.Append(nil)) != string(want.Value) {
			tb.Errorf("entry %d is %v %v %v, want %v %v %s", i, got.Key, got.KeyRef, got.Value, want.Key, want.KeyRef,
				want.Value)
		}
		if j, ok := tree.Find(want.Key); j != i || !ok {
			tb.Errorf("Find(%v) = %d, %v, want %d", want.Key, j, ok, i)
		}
		i++
	}
	if i != tree.Len() || !tree.Ascending() {
		tb.Errorf("%d entries were read, want %d; ascending: %v", tree.Len(), i, tree.Ascending())
	}
	for d := range tree.Defects() {
		empty := i == 0 && (d.Kind == NeitherKidsNorNames || d.Kind == RootNotDictionary || d.Kind == RootLimits)
		if !harmlessAfter[d.Kind] && !empty {
			tb.Errorf("the tree has %s", line(d))
		}
	}
	seen := make(map[object.Ref]bool)
	for _, ref := range puts {
		if seen[ref] {
			tb.Errorf("%v was put twice", ref)
		}
		seen[ref] = true
		if k := nodeAt(tree, ref); k < 0 {
			tb.Errorf("%v was put, but is not a node", ref)
		} else if old := nodeAt(e.t, ref); old >= 0 && content(e.t, old) == content(tree, k) && !mended(e.t, old) {
			tb.Errorf("%v was put, but is what it was: %s", ref, content(tree, k))
		}
	}

	again := tree.Edit()
	again.fanOut = e.fanOut
	if r, err := again.Write(s, s, root); err != nil || fmt.Sprintf("%v", r) != fmt.Sprintf("%v", root) ||
		len(s.Puts()) != len(puts) {
		tb.Errorf("a second Write without changes puts %v, root %v, %v", s.Puts()[len(puts):], r, err)
	}
	return tree
}

func nodeAt(t *Tree, ref object.Ref) int {
	return slices.IndexFunc(t.nodes, func(n Node) bool { return n.Ref == ref })
}

// content prints the parts of a node that Write may change.
func content(t *Tree, i int) string {
	n := t.Node(i)
	out := fmt.Sprint(n.HasLimits, n.Limits, n.HasKids, n.HasNames)
	for _, k := range n.Kids {
		out += " " + t.Node(k).Ref.String()
	}
	for j := n.First; j < n.First+n.Count; j++ {
		e := t.Entry(j)
		out += fmt.Sprintf(" %v %v %v", e.Key, e.KeyRef, e.Value)
	}
	return out
}

// mended reports whether a node was rewritten for a reason that content does not show.
func mended(t *Tree, i int) bool {
	return slices.ContainsFunc(slices.Collect(t.Defects()), func(d Defect) bool {
		return d.Node == i && d.Kind != ForeignKey && d.Kind != ValueNull && d.Kind != KeyOrder
	})
}

// threeLevels is a tree for a fan-out of 4: leaves have 2 to 4 entries, and intermediate nodes 2 kids.
const threeLevels = `
	root: 1 0 R
	1 0 obj << /Kids [ 2 0 R 3 0 R ] >> endobj
	2 0 obj << /Limits [ (a) (f) ] /Kids [ 4 0 R 5 0 R ] >> endobj
	3 0 obj << /Limits [ (h) (q) ] /Kids [ 6 0 R 7 0 R ] >> endobj
	4 0 obj << /Limits [ (a) (c) ] /Names [ (a) 91 0 R (b) 92 0 R (c) 93 0 R ] >> endobj
	5 0 obj << /Limits [ (e) (f) ] /Names [ (e) 94 0 R (f) 95 0 R ] >> endobj
	6 0 obj << /Limits [ (h) (k) ] /Names [ (h) 96 0 R (i) 97 0 R (j) 98 0 R (k) 99 0 R ] >> endobj
	7 0 obj << /Limits [ (p) (q) ] /Names [ (p) 80 0 R (q) 81 0 R ] >> endobj
	70 0 obj (b) endobj
	71 0 obj (m) endobj
	99 0 obj << >> endobj
`

var writeTests = []struct {
	name, text string
	edit       func(*Edit)
	want       string // what was put, in order
	root       string // what Write returned; root of text if it is empty
}{
	// Changes.
	{"nothing", threeLevels, func(e *Edit) {}, "", ""},
	{"a value", threeLevels, func(e *Edit) { e.SetValue(1, []byte("<< /S /SPS >>")) },
		`4 0 R <</Limits [(a) (c)] /Names [(a) 91 0 R (b) << /S /SPS >> (c) 93 0 R] >>`, ""},
	{"a key that bounds nothing", threeLevels, func(e *Edit) { e.SetKey(1, "bb") },
		`4 0 R <</Limits [(a) (c)] /Names [(a) 91 0 R (bb) 92 0 R (c) 93 0 R] >>`, ""},
	{"a key that bounds a leaf", threeLevels, func(e *Edit) { e.SetKey(2, "d") },
		`4 0 R <</Limits [(a) (d)] /Names [(a) 91 0 R (b) 92 0 R (d) 93 0 R] >>`, ""},
	{"a key that bounds an intermediate node", threeLevels, func(e *Edit) { e.SetKey(0, "A") },
		`4 0 R <</Limits [(A) (c)] /Names [(A) 91 0 R (b) 92 0 R (c) 93 0 R] >>
		 2 0 R <</Limits [(A) (f)] /Kids [4 0 R 5 0 R] >>`, ""},
	{"a key that goes elsewhere", threeLevels, func(e *Edit) { e.SetKey(1, "pp") },
		`4 0 R <</Limits [(a) (c)] /Names [(a) 91 0 R (c) 93 0 R] >>
		 7 0 R <</Limits [(p) (q)] /Names [(p) 80 0 R (pp) 92 0 R (q) 81 0 R] >>`, ""},
	{"all keys of a leaf", threeLevels, func(e *Edit) {
		e.SetKey(3, "ee")
		e.SetKey(4, "ff")
	}, `5 0 R <</Limits [(ee) (ff)] /Names [(ee) 94 0 R (ff) 95 0 R] >>
		 2 0 R <</Limits [(a) (ff)] /Kids [4 0 R 5 0 R] >>`, ""},
	{"all keys of a leaf, to elsewhere", threeLevels, func(e *Edit) {
		e.SetKey(3, "r")
		e.SetKey(4, "s")
	}, `7 0 R <</Limits [(p) (s)] /Names [(p) 80 0 R (q) 81 0 R (r) 94 0 R (s) 95 0 R] >>
		 2 0 R <</Limits [(a) (c)] /Kids [4 0 R] >>
		 3 0 R <</Limits [(h) (s)] /Kids [6 0 R 7 0 R] >>`, ""},
	{"the last key of a leaf, to the beginning", threeLevels, func(e *Edit) {
		e.SetKey(9, "0")
		e.Remove(10)
	}, `4 0 R <</Limits [(0) (c)] /Names [(0) 80 0 R (a) 91 0 R (b) 92 0 R (c) 93 0 R] >>
		 2 0 R <</Limits [(0) (f)] /Kids [4 0 R 5 0 R] >>
		 3 0 R <</Limits [(h) (k)] /Kids [6 0 R] >>`, ""},
	{"keys on both sides of where leaves meet", threeLevels, func(e *Edit) {
		e.SetKey(2, "cc")
		e.SetKey(3, "ee")
	}, `4 0 R <</Limits [(a) (cc)] /Names [(a) 91 0 R (b) 92 0 R (cc) 93 0 R] >>
		 5 0 R <</Limits [(ee) (f)] /Names [(ee) 94 0 R (f) 95 0 R] >>`, ""},
	{"an entry goes", threeLevels, func(e *Edit) { e.Remove(1) },
		`4 0 R <</Limits [(a) (c)] /Names [(a) 91 0 R (c) 93 0 R] >>`, ""},
	{"an entry goes that has other changes", threeLevels, func(e *Edit) {
		e.SetKey(1, "z")
		e.SetValue(1, []byte("1"))
		e.Remove(1)
	}, `4 0 R <</Limits [(a) (c)] /Names [(a) 91 0 R (c) 93 0 R] >>`, ""},
	{"a leaf goes", threeLevels, func(e *Edit) { e.Remove(3); e.Remove(4) },
		`2 0 R <</Limits [(a) (c)] /Kids [4 0 R] >>`, ""},
	{"an intermediate node goes", threeLevels, func(e *Edit) {
		for i := range 5 {
			e.Remove(i)
		}
	}, `1 0 R <</Kids [6 0 R 7 0 R] >>`, ""},
	{"all but one leaf go", threeLevels, func(e *Edit) {
		for i := range 9 {
			e.Remove(i)
		}
	}, `1 0 R <</Names [(p) 80 0 R (q) 81 0 R] >>`, ""},
	{"all entries go", threeLevels, func(e *Edit) {
		for i := range 11 {
			e.Remove(i)
		}
	}, `1 0 R <</Names [] >>`, ""},
	{"an entry comes into a leaf", threeLevels, func(e *Edit) { e.Add("ef", []byte("1 0 R")) },
		`5 0 R <</Limits [(e) (f)] /Names [(e) 94 0 R (ef) 1 0 R (f) 95 0 R] >>`, ""},
	{"an entry comes between two leaves", threeLevels, func(e *Edit) { e.Add("d", []byte("1 0 R")) },
		`4 0 R <</Limits [(a) (d)] /Names [(a) 91 0 R (b) 92 0 R (c) 93 0 R (d) 1 0 R] >>`, ""},
	{"an entry comes between a full leaf and another", threeLevels,
		func(e *Edit) { e.Add("m", []byte("1 0 R")) },
		`7 0 R <</Limits [(m) (q)] /Names [(m) 1 0 R (p) 80 0 R (q) 81 0 R] >>`, ""},
	{"an entry comes before all", threeLevels, func(e *Edit) { e.Add("", []byte("1 0 R")) },
		`4 0 R <</Limits [() (c)] /Names [() 1 0 R (a) 91 0 R (b) 92 0 R (c) 93 0 R] >>
		 2 0 R <</Limits [() (f)] /Kids [4 0 R 5 0 R] >>`, ""},
	{"an entry comes between full leaves", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (d) ] /Names [ (a) 1 (b) 1 (c) 1 (d) 1 ] >> endobj
		2 0 obj << /Limits [ (f) (i) ] /Names [ (f) 1 (g) 1 (h) 1 (i) 1 ] >> endobj`,
		func(e *Edit) { e.Add("e", []byte("2")) },
		`1 0 R <</Limits [(a) (b)] /Names [(a) 1 (b) 1] >>
		 3 0 R <</Limits [(c) (e)] /Names [(c) 1 (d) 1 (e) 2] >>
		 4 0 R <</Kids [1 0 R 3 0 R 2 0 R] >>`, "4 0 R"},
	{"a full leaf is divided", threeLevels, func(e *Edit) { e.Add("ii", []byte("null")) },
		`6 0 R <</Limits [(h) (i)] /Names [(h) 96 0 R (i) 97 0 R] >>
		 100 0 R <</Limits [(ii) (k)] /Names [(ii) null (j) 98 0 R (k) 99 0 R] >>
		 3 0 R <</Limits [(h) (q)] /Kids [6 0 R 100 0 R 7 0 R] >>`, ""},

	{"a key that goes before all, to another leaf", `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
		2 0 obj << /Limits [ (b) (c) ] /Names [ (b) 1 (c) 1 ] >> endobj`, func(e *Edit) { e.SetKey(1, "0") },
		`1 0 R <</Limits [(0) (a)] /Names [(0) 1 (a) 1] >>
		 2 0 R <</Limits [(c) (c)] /Names [(c) 1] >>`, ""},
	{"two entries come before all", threeLevels, func(e *Edit) {
		e.Add("0", []byte("1"))
		e.Add("1", []byte("1"))
		e.Remove(1)
		e.Remove(2)
	}, `4 0 R <</Limits [(0) (a)] /Names [(0) 1 (1) 1 (a) 91 0 R] >>
		 2 0 R <</Limits [(0) (f)] /Kids [4 0 R 5 0 R] >>`, ""},
	{"two entries come before a leaf that has room", `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 (b) 1 ] >> endobj
		2 0 obj << /Limits [ (p) (q) ] /Names [ (p) 1 (q) 1 ] >> endobj`, func(e *Edit) {
		e.Add("0", []byte("2"))
		e.Add("1", []byte("2"))
	}, `1 0 R <</Limits [(0) (b)] /Names [(0) 2 (1) 2 (a) 1 (b) 1] >>`, ""},
	{"entries come after each of four leaves", `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R 3 0 R 4 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (d) ] /Names [ (a) 1 (b) 1 (c) 1 (d) 1 ] >> endobj
		2 0 obj << /Limits [ (f) (g) ] /Names [ (f) 1 (g) 1 ] >> endobj
		3 0 obj << /Limits [ (k) (l) ] /Names [ (k) 1 (l) 1 ] >> endobj
		4 0 obj << /Limits [ (p) (q) ] /Names [ (p) 1 (q) 1 ] >> endobj`, func(e *Edit) {
		for _, k := range []Key{"e", "h", "m"} {
			e.Add(k, []byte("2"))
		}
	}, `2 0 R <</Limits [(e) (h)] /Names [(e) 2 (f) 1 (g) 1 (h) 2] >>
		 3 0 R <</Limits [(k) (m)] /Names [(k) 1 (l) 1 (m) 2] >>`, ""},
	{"a large leaf among others is not divided", `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 (b) 1 ] >> endobj
		2 0 obj << /Limits [ (c) (h) ] /Names [ (c) 1 (d) 1 (e) 1 (f) 1 (g) 1 (h) 1 ] >> endobj`, func(e *Edit) {
		e.SetValue(0, []byte("2"))
		e.SetValue(2, []byte("2"))
	}, `1 0 R <</Limits [(a) (b)] /Names [(a) 2 (b) 1] >>
		 2 0 R <</Limits [(c) (h)] /Names [(c) 2 (d) 1 (e) 1 (f) 1 (g) 1 (h) 1] >>`, ""},
	{"a large leaf comes first", `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (f) ] /Names [ (a) 1 (b) 1 (c) 1 (d) 1 (e) 1 (f) 1 ] >> endobj
		2 0 obj << /Limits [ (g) (h) ] /Names [ (g) 1 (h) 1 ] >> endobj`, func(e *Edit) { e.SetValue(0, []byte("2")) },
		`1 0 R <</Limits [(a) (f)] /Names [(a) 2 (b) 1 (c) 1 (d) 1 (e) 1 (f) 1] >>`, ""},
	{"foreign keys of every node that changes stay", `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] /F 1 >> endobj
		2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] /F 2 >> endobj`, func(e *Edit) {
		e.SetValue(0, []byte("3"))
		e.SetValue(1, []byte("3"))
	}, `1 0 R <</Limits [(a) (a)] /Names [(a) 3] /F 1 >>
		 2 0 R <</Limits [(b) (b)] /Names [(b) 3] /F 2 >>`, ""},

	{"leaves of different depth come to one", `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (c) ] /Kids [ 3 0 R 4 0 R ] >> endobj
		2 0 obj << /Limits [ (d) (d) ] /Names [ (d) 1 ] >> endobj
		3 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
		4 0 obj << /Limits [ (b) (c) ] /Kids [ 5 0 R 6 0 R ] >> endobj
		5 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj
		6 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] >> endobj`, func(e *Edit) { e.SetValue(0, []byte("2")) },
		`3 0 R <</Limits [(a) (a)] /Names [(a) 2] >>
		 9 0 R <</Kids [3 0 R 5 0 R 6 0 R 2 0 R] >>`, ""},

	// The examples in the comment of plan.
	{"the drawn example", drawnTree, func(e *Edit) {
		e.Add("ii", []byte("2"))
		e.SetKey(1, "pp")
	}, `4 0 R <</Limits [(a) (c)] /Names [(a) 1 (c) 1] >>
		 6 0 R <</Limits [(h) (i)] /Names [(h) 1 (i) 1] >>
		 8 0 R <</Limits [(ii) (k)] /Names [(ii) 2 (j) 1 (k) 1] >>
		 7 0 R <</Limits [(p) (q)] /Names [(p) 1 (pp) 1 (q) 1] >>
		 3 0 R <</Limits [(h) (q)] /Kids [6 0 R 8 0 R 7 0 R] >>`, ""},
	{"the drawn example, with a leaf that goes", drawnTree, func(e *Edit) { e.Remove(3); e.Remove(4) },
		"2 0 R <</Limits [(a) (c)] /Kids [4 0 R] >>", ""},

	// New trees.
	{"no tree, no entries", `root: null`, func(e *Edit) {}, "", ""},
	{"no tree, one entry", `root: null`, func(e *Edit) { e.Add("a", []byte("5")) },
		"1 0 R <</Names [(a) 5] >>", "1 0 R"},
	{"a reference to no tree", `root: 7 0 R`, func(e *Edit) { e.Add("a", []byte("5")) },
		"1 0 R <</Names [(a) 5] >>", "1 0 R"},
	{"no tree, entries for three leaves", `root: null`, func(e *Edit) {
		for _, k := range []Key{"i", "b", "e", "d", "c", "f", "g", "h", "a"} {
			e.Add(k, []byte("5"))
		}
	}, `1 0 R <</Limits [(a) (c)] /Names [(a) 5 (b) 5 (c) 5] >>
		 2 0 R <</Limits [(d) (f)] /Names [(d) 5 (e) 5 (f) 5] >>
		 3 0 R <</Limits [(g) (i)] /Names [(g) 5 (h) 5 (i) 5] >>
		 4 0 R <</Kids [1 0 R 2 0 R 3 0 R] >>`, "4 0 R"},

	// Trees of Acrobat: a root without Kids, with shared keys, of any size.
	{"a root with shared keys", `root: 5 0 R 5 0 obj << /Names [ 1 0 R 2 0 R 3 0 R 4 0 R ] >> endobj
		1 0 obj (a) endobj 3 0 obj <62> endobj`, func(e *Edit) { e.SetKey(0, "c") },
		"5 0 R <</Names [3 0 R 4 0 R (c) 2 0 R] >>", ""},
	{"a root that has to be an object", `root: << /Type /Names /Names [ (a) 1 ] >>`,
		func(e *Edit) { e.SetValue(0, []byte("2")) },
		"1 0 R <</Type /Names /Names [(a) 2] >>", "1 0 R"},
	{"a root that is reached through another reference",
		`root: 1 0 R 1 0 obj 2 0 R endobj 2 0 obj << /Names [ (a) 1 ] >> endobj`,
		func(e *Edit) { e.Remove(0) }, "2 0 R <</Names [] >>", "1 0 R"},
	{"a large root", `root: 1 0 R 1 0 obj << /Names [ (a) 1 (b) 1 (c) 1 (d) 1 (e) 1 ] >> endobj`,
		func(e *Edit) { e.Add("f", []byte("2")) },
		"1 0 R <</Names [(a) 1 (b) 1 (c) 1 (d) 1 (e) 1 (f) 2] >>", ""},
	{"a root that grows", `root: 1 0 R 1 0 obj << /Names [ (a) 1 (b) 1 (c) 1 (d) 1 ] >> endobj`,
		func(e *Edit) { e.Add("e", []byte("2")) },
		`2 0 R <</Limits [(a) (b)] /Names [(a) 1 (b) 1] >>
		 3 0 R <</Limits [(c) (e)] /Names [(c) 1 (d) 1 (e) 2] >>
		 1 0 R <</Kids [2 0 R 3 0 R] >>`, ""},
	{"an emptied root", `root: << >>`, func(e *Edit) {}, "", ""},
	{"an emptied root that is filled", `root: 1 0 R 1 0 obj << >> endobj`,
		func(e *Edit) { e.Add("a", []byte("5")) },
		"1 0 R <</Names [(a) 5] >>", ""},

	// Defects are repaired, and nothing else changes.
	{"limits of a leaf", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 ] >> endobj
		2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj`, func(e *Edit) {},
		"1 0 R <</Limits [(a) (a)] /Names [(a) 1] >>", ""},
	{"limits that a change makes right", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (A) (a) ] /Kids [ 3 0 R 4 0 R ] >> endobj
		2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj
		3 0 obj << /Limits [ (A) (A) ] /Names [ (0) 1 ] >> endobj
		4 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj`, func(e *Edit) { e.SetKey(0, "A"); e.Remove(2) },
		`3 0 R <</Limits [(A) (A)] /Names [(A) 1] >>
		 5 0 R <</Kids [3 0 R 4 0 R] >>`, "5 0 R"},
	{"limits missing where the key is empty", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Names [ () 1 ] >> endobj
		2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj`, func(e *Edit) {},
		"1 0 R <</Limits [() ()] /Names [() 1] >>", ""},
	{"limits missing or malformed, or of a root", `root: 9 0 R 9 0 obj << /Limits [ (a) (b) ] /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Names [ (a) 1 ] >> endobj
		2 0 obj << /Limits 3 0 R /Names [ (b) 1 ] >> endobj
		3 0 obj [ endobj`, func(e *Edit) {},
		`1 0 R <</Limits [(a) (a)] /Names [(a) 1] >>
		 2 0 R <</Limits [(b) (b)] /Names [(b) 1] >>
		 9 0 R <</Kids [1 0 R 2 0 R] >>`, ""},
	{"order within a leaf", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (b) ] /Names [ (b) 1 (a) 1 ] >> endobj
		2 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] >> endobj`, func(e *Edit) {},
		"1 0 R <</Limits [(a) (b)] /Names [(a) 1 (b) 1] >>", ""},
	{"order of leaves", `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] >> endobj
		2 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 (b) 1 ] >> endobj`, func(e *Edit) {},
		"9 0 R <</Kids [2 0 R 1 0 R] >>", ""},
	{"entries of two leaves among each other", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (e) ] /Names [ (a) 1 (c) 1 (e) 1 ] >> endobj
		2 0 obj << /Limits [ (b) (f) ] /Names [ (b) 1 (d) 1 (f) 1 ] >> endobj`, func(e *Edit) {},
		`1 0 R <</Limits [(a) (c)] /Names [(a) 1 (b) 1 (c) 1] >>
		 2 0 R <</Limits [(d) (f)] /Names [(d) 1 (e) 1 (f) 1] >>`, ""},
	{"entries of two large leaves among each other", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (i) ] /Names [ (a) 1 (c) 1 (e) 1 (g) 1 (i) 1 ] >> endobj
		2 0 obj << /Limits [ (b) (f) ] /Names [ (b) 1 (d) 1 (f) 1 ] >> endobj`, func(e *Edit) {},
		`1 0 R <</Limits [(a) (d)] /Names [(a) 1 (b) 1 (c) 1 (d) 1] >>
		 2 0 R <</Limits [(e) (i)] /Names [(e) 1 (f) 1 (g) 1 (i) 1] >>`, ""},
	{"order that a change mends", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (z) ] /Names [ (a) 1 (z) 1 ] >> endobj
		2 0 obj << /Limits [ (b) (c) ] /Names [ (b) 1 (c) 1 ] >> endobj`, func(e *Edit) { e.SetKey(1, "aa") },
		"1 0 R <</Limits [(a) (aa)] /Names [(a) 1 (aa) 1] >>", ""},
	{"a duplicate that is removed", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 (b) 1 ] >> endobj
		2 0 obj << /Limits [ (b) (c) ] /Names [ (b) 2 (c) 1 ] >> endobj`, func(e *Edit) { e.Remove(1) },
		"1 0 R <</Limits [(a) (a)] /Names [(a) 1] >>", ""},
	{"names and kids", `root: 9 0 R 9 0 obj << /Names [ (b) 1 ] /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
		2 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] >> endobj`, func(e *Edit) {},
		`1 0 R <</Limits [(a) (b)] /Names [(a) 1 (b) 1] >>
		 9 0 R <</Kids [1 0 R 2 0 R] >>`, ""},
	{"kids that are not nodes, or empty, or not objects", `root: 9 0 R
		9 0 obj << /Kids [ 1 0 R null 2 0 R << /Names [ (b) 1 ] >> 3 0 R 1 0 R 4 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
		2 0 obj << /Names [ ] >> endobj
		3 0 obj << /Kids [ ] >> endobj
		4 0 obj << >> endobj`, func(e *Edit) {},
		`10 0 R <</Limits [(b) (b)] /Names [(b) 1] >>
		 9 0 R <</Kids [1 0 R 10 0 R] >>`, ""},
	{"a cycle", `root: 1 0 R 1 0 obj << /Kids [ 2 0 R 1 0 R 3 0 R ] >> endobj
		2 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
		3 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj`, func(e *Edit) {},
		"1 0 R <</Kids [2 0 R 3 0 R] >>", ""},
	{"a root without kids", `root: 1 0 R 1 0 obj << /Kids [ ] >> endobj`, func(e *Edit) {}, "1 0 R <</Names [] >>", ""},
	{"a tree of uneven depth, untouched", unevenTree, func(e *Edit) {}, "", ""},
	{"a tree of uneven depth", unevenTree, func(e *Edit) { e.SetValue(1, []byte("2")) },
		`3 0 R <</Limits [(b) (b)] /Names [(b) 2] >>
		 9 0 R <</Kids [1 0 R 3 0 R 4 0 R] >>`, ""},
	{"single kids, untouched", singleKids, func(e *Edit) {}, "", ""},
	{"single kids", singleKids, func(e *Edit) { e.SetValue(0, []byte("2")) }, "9 0 R <</Names [(a) 2] >>", ""},

	// Other keys of a node, and pairs that are not entries.
	{"foreign keys", `root: << /Kids [ 1 0 R 2 0 R ] /F << /G(h) >> >>
		1 0 obj << /X#20Y [1] /Limits [ (a) (a) ] /Type /T /Names [ (a) 1 ] /Z null >> endobj
		2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj`, func(e *Edit) { e.SetValue(0, []byte("2")) },
		"1 0 R <</X#20Y [1] /Limits [(a) (a)] /Type /T /Names [(a) 2] /Z null >>", ""},
	{"pairs in a leaf that stays", lostPairs, func(e *Edit) { e.SetValue(1, []byte("2")) },
		"2 0 R <</Limits [(b) (b)] /Names [(b) 2] >>", ""},
	{"pairs in a leaf that has room", lostPairs, func(e *Edit) { e.Add("aa", []byte("2")) },
		"2 0 R <</Limits [(aa) (b)] /Names [(aa) 2 (b) 1] >>", ""},
	{"pairs that are dropped", lostPairs, func(e *Edit) {
		e.DropPair(1, 0)
		e.DropPair(1, 2)
		e.DropPair(1, 3)
		e.DropPair(1, 4)
		e.DropPair(2, 0) // this pair is an entry, so it stays
	}, "1 0 R <</Limits [(a) (a)] /Names [(a) 1] >>", ""},
	{"a key twice in a leaf that stays", `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (a) ] /Names [ ] /Names [ (a) 1 ] >> endobj
		2 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] >> endobj`, func(e *Edit) { e.Add("b", []byte("2")) },
		`2 0 R <</Limits [(b) (c)] /Names [(b) 2 (c) 1] >>`, ""},
	{"a key twice in a root that stays", `root: << /Kids [ ] /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
		2 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] >> endobj`, func(e *Edit) { e.SetValue(0, []byte("2")) },
		`1 0 R <</Limits [(a) (a)] /Names [(a) 2] >>`, ""},
}

const (
	drawnTree = `root: 1 0 R 1 0 obj << /Kids [ 2 0 R 3 0 R ] >> endobj
		2 0 obj << /Limits [ (a) (f) ] /Kids [ 4 0 R 5 0 R ] >> endobj
		3 0 obj << /Limits [ (h) (q) ] /Kids [ 6 0 R 7 0 R ] >> endobj
		4 0 obj << /Limits [ (a) (c) ] /Names [ (a) 1 (b) 1 (c) 1 ] >> endobj
		5 0 obj << /Limits [ (e) (f) ] /Names [ (e) 1 (f) 1 ] >> endobj
		6 0 obj << /Limits [ (h) (k) ] /Names [ (h) 1 (i) 1 (j) 1 (k) 1 ] >> endobj
		7 0 obj << /Limits [ (p) (q) ] /Names [ (p) 1 (q) 1 ] >> endobj`
	unevenTree = `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
		2 0 obj << /Limits [ (b) (c) ] /Kids [ 3 0 R 4 0 R ] >> endobj
		3 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj
		4 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] >> endobj`
	singleKids = `root: 9 0 R 9 0 obj << /Kids [ 1 0 R ] >> endobj
		1 0 obj << /Limits [ (a) (a) ] /Kids [ 2 0 R ] >> endobj
		2 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj`
	lostPairs = `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (a) (a) ] /Names [ null 1 (a) 1 /a 1 8 0 R 1 (odd) ] >> endobj
		2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj
		8 0 obj ( endobj`
)

func TestWrite(t *testing.T) {
	for _, test := range writeTests {
		t.Run(test.name, func(t *testing.T) {
			s := objecttest.New(t, test.text)
			root := s.Object("root")
			tree, err := Read(s, root, nil)
			if err != nil {
				t.Fatal(err)
			}
			e := tree.Edit()
			e.fanOut = 4
			test.edit(e)
			got, err := e.Write(s, s, root)
			if err != nil {
				t.Fatal(err)
			}
			if want := test.root; want != "" && string(got.Append(nil)) != want ||
				want == "" && string(got.Append(nil)) != string(root.Append(nil)) {
				t.Errorf("root is %s, want %s", got.Append(nil), want)
			}
			var out []string
			for _, ref := range s.Puts() {
				out = append(out, ref.String()+" "+text(t, s, ref))
			}
			want := strings.ReplaceAll(test.want, "\t", "")
			want = strings.ReplaceAll(want, "\n ", "\n")
			if got := strings.Join(out, "\n"); got != want {
				t.Errorf("puts are\n%s\nwant\n%s", got, want)
			}
			checkWritten(t, s, e, got)
		})
	}
}

func TestWriteRefuses(t *testing.T) {
	twoLeaves := func(first, second string) string {
		return `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
			1 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 (b) 1 ] ` + first + ` >> endobj
			2 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] ` + second + ` >> endobj`
	}
	tests := []struct {
		name, text string
		edit       func(*Edit)
		want       string
	}{
		{"a duplicate that was there", `root: << /Names [ (a) 1 (b) 1 (b) 2 ] >>`, func(e *Edit) {},
			"two entries have the key (b)"},
		{"a duplicate far away", `root: << /Names [ (b) 1 (a) 1 (b) 2 ] >>`, func(e *Edit) {},
			"two entries have the key (b)"},
		{"a key that is there", threeLevels, func(e *Edit) { e.SetKey(0, "f") },
			"two entries have the key (f)"},
		{"a key added that is there", threeLevels, func(e *Edit) { e.Add("a", []byte("1")) },
			"two entries have the key (a)"},
		{"a key added twice", `root: null`, func(e *Edit) {
			e.Add("a", []byte("1"))
			e.Add("a", []byte("1"))
		}, "two entries have the key (a)"},
		{"a root that is not a dictionary", `root: [ ]`, func(e *Edit) {}, "its root is neither a dictionary nor null"},
		{"a root that does not refer to a dictionary", `root: 1 0 R 1 0 obj 5 endobj`, func(e *Edit) {},
			"its root is neither a dictionary nor null"},
		{"an unreadable root", `root: 1 0 R 1 0 obj ( endobj`, func(e *Edit) {},
			"a part of the tree cannot be read: object 1 0: offset 1: literal string not closed"},
		{"an unreadable kid", `root: << /Kids [ 1 0 R ] >> 1 0 obj ( endobj`, func(e *Edit) {},
			"a part of the tree cannot be read: object 1 0: offset 1: literal string not closed"},
		{"kids that are not an array", `root: << /Kids 1 >>`, func(e *Edit) {},
			"a part of the tree cannot be read: a node has Kids or Names that is not an array"},
		{"names that are not an array", `root: << /Names 1 >>`, func(e *Edit) {},
			"a part of the tree cannot be read: a node has Kids or Names that is not an array"},
		{"a pair without an entry in a leaf that goes", lostPairs, func(e *Edit) { e.Remove(0) },
			"node 1 0 R would disappear, but has a pair that is not an entry"},
		{"a leaf of nothing but such pairs", `root: << /Kids [ << /Names [ null 1 ] >> ] >>`, func(e *Edit) {},
			"node 1 (a direct object) would disappear, but has a pair that is not an entry"},
		{"a key twice", twoLeaves("/Limits [ (a) (b) ]", ""), func(e *Edit) { e.SetValue(0, []byte("2")) },
			"node 1 0 R must change, but its dictionary has Kids, Names, or Limits twice"},
		{"a key twice in the root", `root: << /Names [ ] /Names [ (a) 1 ] >>`,
			func(e *Edit) { e.SetValue(0, []byte("2")) },
			"node 0 (a direct object) must change, but its dictionary has Kids, Names, or Limits twice"},
		{"foreign keys in a leaf that goes", twoLeaves("", "/Type /T"), func(e *Edit) { e.Remove(2) },
			"node 2 0 R would be removed, but has keys that do not belong to a node"},
		{"foreign keys in a leaf that becomes the root", twoLeaves("/Type /T", ""), func(e *Edit) { e.Remove(2) },
			"node 1 0 R would be removed, but has keys that do not belong to a node"},
		{"foreign keys in a leaf that becomes the root, and changes", twoLeaves("/Type /T", ""), func(e *Edit) {
			e.Remove(2)
			e.SetValue(0, []byte("2"))
		}, "node 1 0 R would be removed, but has keys that do not belong to a node"},
		{"foreign keys in a kid that is not an object", `root: << /Kids [ << /Limits [ (a) (a) ] /Names [ (a) 1 ] /Type /T >> 2 0 R ] >>
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj`, func(e *Edit) {},
			"node 1 (a direct object) would be removed, but has keys that do not belong to a node"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := objecttest.New(t, test.text)
			root := s.Object("root")
			tree, err := Read(s, root, nil)
			if err != nil {
				t.Fatal(err)
			}
			e := tree.Edit()
			test.edit(e)
			o, err := e.Write(s, s, root)
			refused, ok := errors.AsType[*Refused](err)
			if !ok || refused.Reason != test.want || err.Error() != "name tree not written: "+test.want || !o.IsNull() {
				t.Errorf("Write = %v, %v, want refused: %s", o, err, test.want)
			}
			if got := s.Puts(); got != nil {
				t.Errorf("refused, but %v were put", got)
			}
		})
	}
}

func TestWriteRefusesATreeThatIsNotThatOfTheRoot(t *testing.T) {
	s := objecttest.New(t, threeLevels)
	e := new(Tree).Edit()
	e.Add("a", []byte("1"))
	if _, err := e.Write(s, s, s.Object("root")); err == nil || len(s.Puts()) > 0 {
		t.Errorf("Write = %v, puts are %v", err, s.Puts())
	}

	s = objecttest.New(t, `root: 1 0 R 1 0 obj << /F 1 /Names [ (a) 1 ] >> endobj`)
	tree, err := Read(s, s.Object("root"), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Set(object.Ref{Num: 1}, "[ ]")
	e = tree.Edit()
	e.Remove(0)
	_, err = e.Write(s, s, s.Object("root"))
	if _, ok := errors.AsType[*Refused](err); !ok || len(s.Puts()) > 0 {
		t.Errorf("Write = %v, puts are %v", err, s.Puts())
	}
}

func TestWriteRefusesWhatWasNotReadAsAWhole(t *testing.T) {
	for kind, want := range map[DefectKind]string{
		Unreadable: "a part of the tree cannot be read", KidsNotArray: "a node has Kids or Names that is not an array",
		NamesNotArray: "a node has Kids or Names that is not an array", TooDeep: "more than 64 levels",
	} {
		t.Run(fmt.Sprint(kind), func(t *testing.T) {
			tree := &Tree{defects: []Defect{{Node: -1, Index: -1, Kind: kind}}}
			_, err := tree.Edit().Write(&objecttest.Store{}, &counter{}, object.Object{})
			if _, ok := errors.AsType[*Refused](err); !ok || !strings.Contains(err.Error(), want) {
				t.Errorf("%v: Write = %v", kind, err)
			}
		})
	}
}

func TestWriteReadsOnlyWhatItHasToCopy(t *testing.T) {
	s := objecttest.New(t, `root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R 3 0 R ] /F 1 >> endobj
		1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
		2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] /F 1 >> endobj
		3 0 obj << /Limits [ (c) (c) ] /Names [ (c) 1 ] /F 1 >> endobj`)
	root := s.Object("root")
	tree, err := Read(s, root, nil)
	if err != nil {
		t.Fatal(err)
	}
	e, before := tree.Edit(), s.Gets()
	e.SetValue(0, []byte("2"))
	e.SetValue(1, []byte("2"))
	if _, err := e.Write(s, s, root); err != nil || s.Gets() != before+1 {
		t.Errorf("%d objects were read, want 1; %v", s.Gets()-before, err)
	}
	checkWritten(t, s, e, root)
}

// TestWriteFailsWithItsSource: Write reads the source for foreign keys, and to check that a root is null.
func TestWriteFailsWithItsSource(t *testing.T) {
	broken := errors.New("the disk is broken")
	for _, text := range []string{
		`root: 1 0 R`,
		`root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
			2 0 obj << /Limits [ (b) (c) ] /Names [ (c) 1 ] /Type /T >> endobj`,
	} {
		t.Run(text, func(t *testing.T) {
			s := objecttest.New(t, text)
			tree, err := Read(s, s.Object("root"), nil)
			if err != nil {
				t.Fatal(err)
			}
			s.Fail, s.After = broken, s.Gets()
			e := tree.Edit()
			e.Add("b", []byte("1"))
			if _, err := e.Write(s, s, s.Object("root")); !errors.Is(err, broken) || len(s.Puts()) > 0 {
				t.Errorf("Write = %v, want %v; puts are %v", err, broken, s.Puts())
			}
		})
	}
}

// TestWriteRefusesToGoDeeperThanRead has a tree with all levels that Read allows, in which each node on the way to
// the last leaf is full.
func TestWriteRefusesToGoDeeperThanRead(t *testing.T) {
	const full = 2
	s := objecttest.New(t, "")
	num, entries := 0, 0
	var build func(height, width int) (ref, least, greatest string)
	build = func(height, width int) (ref, least, greatest string) {
		what := "Names"
		var list []string
		for i := range width {
			first, last := fmt.Sprintf("(%09d)", entries), fmt.Sprintf("(%09d)", entries)
			if height == 0 {
				entries++
				list = append(list, first+" 1")
			} else {
				what = "Kids"
				below := 1
				if i == full-1 {
					below = full
				}
				var kid string
				kid, first, last = build(height-1, below)
				list = append(list, kid)
			}
			if i == 0 {
				least = first
			}
			greatest = last
		}
		limits := fmt.Sprintf("/Limits [ %s %s ]", least, greatest)
		if height == maxDepth-1 {
			limits = ""
		}
		num++
		s.Set(object.Ref{Num: uint32(num)}, fmt.Sprintf("<< %s /%s %v >>", limits, what, list))
		return fmt.Sprintf("%d 0 R", num), least, greatest
	}
	build(maxDepth-1, full)
	root := object.MakeRef(object.Ref{Num: uint32(num)})
	tree, err := Read(s, root, nil)
	if err != nil || tree.Len() != entries || len(slices.Collect(tree.Defects())) > 0 {
		t.Fatal(tree.Len(), entries, err)
	}
	e := tree.Edit()
	e.fanOut = full
	e.Add("z", []byte("1"))
	_, err = e.Write(s, s, root)
	if refused, ok := errors.AsType[*Refused](err); !ok || !strings.Contains(refused.Reason, "more than 64 levels") ||
		len(s.Puts()) > 0 {
		t.Errorf("Write = %v, puts are %v", err, s.Puts())
	}

	e = tree.Edit()
	e.fanOut = full
	e.SetKey(entries-1, "z")
	if root, err = e.Write(s, s, root); err != nil || len(s.Puts()) != maxDepth-1 {
		t.Errorf("Write = %v, %d puts, want %d", err, len(s.Puts()), maxDepth-1)
	}
	checkWritten(t, s, e, root)
}

// A root in the style of Acrobat may have up to 1024 pairs. A larger one is divided even if it did not change, because
// it is a defect.
func TestWriteDividesHugeLeaves(t *testing.T) {
	for _, test := range []struct{ pairs, added, puts int }{
		{1024, 0, 0}, {1023, 1, 1}, {1024, 1, 18}, {1025, 0, 18}, {64, 1, 3}, {65, 1, 1},
		{5000, 0, 79 + 2 + 1},
	} {
		t.Run(fmt.Sprint(test.pairs), func(t *testing.T) {
			text := "root: 1 0 R 1 0 obj << /Names ["
			for i := range test.pairs {
				text += fmt.Sprintf(" (%04d) 1", i)
			}
			s := objecttest.New(t, text+" ] >> endobj")
			tree, err := Read(s, s.Object("root"), nil)
			if err != nil {
				t.Fatal(err)
			}
			e := tree.Edit()
			for range test.added {
				e.Add("0007x", []byte("2"))
			}
			root, err := e.Write(s, s, s.Object("root"))
			if err != nil || len(s.Puts()) != test.puts {
				t.Errorf("%d pairs and %d: %d objects were put, want %d; %v", test.pairs, test.added, len(s.Puts()),
					test.puts, err)
				return
			}
			for i, n := range checkWritten(t, s, e, root).nodes[1:] {
				if n := n.Count + len(n.Kids); n < fanOut/2 || n > fanOut {
					t.Errorf("%d pairs and %d: node %d has %d pairs or kids", test.pairs, test.added, 1+i, n)
				}
			}
		})
	}
}

// Below a root, the limit of a huge leaf is the same.
func TestWriteDividesHugeLeavesBelowARoot(t *testing.T) {
	for _, test := range []struct{ pairs, puts int }{{hugeLeaf - 1, 1}, {hugeLeaf, 17 + 1}} {
		t.Run(fmt.Sprint(test.pairs), func(t *testing.T) {
			var names strings.Builder
			for i := range test.pairs {
				fmt.Fprintf(&names, " (%04d) 1", i)
			}
			s := objecttest.New(t, fmt.Sprintf(`root: 9 0 R 9 0 obj << /Kids [ 1 0 R 2 0 R ] >> endobj
			1 0 obj << /Limits [ (0000) (%04d) ] /Names [%s ] >> endobj
			2 0 obj << /Limits [ (z) (z) ] /Names [ (z) 1 ] >> endobj`, test.pairs-1, &names))
			tree, err := Read(s, s.Object("root"), nil)
			if err != nil {
				t.Fatal(err)
			}
			e := tree.Edit()
			e.Add("0007x", []byte("2"))
			if _, err := e.Write(s, s, s.Object("root")); err != nil || len(s.Puts()) != test.puts {
				t.Errorf("%d pairs and 1: %d objects were put, want %d; %v", test.pairs, len(s.Puts()), test.puts, err)
			}
		})
	}
}

func TestWriteOfOneKeyInALargeTree(t *testing.T) {
	const n = 3 * fanOut * fanOut
	src, root := bigTree(n, urlKey)
	tree, err := Read(src, root, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name  string
		entry int
		key   Key
		puts  int
	}{
		{"within a leaf", 7, tree.Entry(7).Key + "0", 1},
		{"least of a leaf", fanOut, tree.Entry(fanOut).Key + "0", 1},
		{"least of an intermediate node", fanOut * fanOut, tree.Entry(fanOut*fanOut).Key + "0", 2},
		{"greatest of all", n - 1, "z", 2},
		{"to a full leaf of a full node", 7, tree.Entry(n-7).Key + "0",
			6}, // its old leaf, two for each full one, the root
	} {
		t.Run(test.name, func(t *testing.T) {
			var sink counter
			e := tree.Edit()
			e.SetKey(test.entry, test.key)
			got, err := e.Write(src, &sink, root)
			if err != nil || sink.puts != test.puts || fmt.Sprintf("%v", got) != fmt.Sprintf("%v", root) {
				t.Errorf("%s: %d objects were put, want %d; root %v, %v", test.name, sink.puts, test.puts, got, err)
			}
		})
	}
}

// A counter is a Sink that only counts.
type counter struct{ puts int }

func (c *counter) New() object.Ref        { return object.Ref{Num: 9_000_000} }
func (c *counter) Put(object.Ref, []byte) { c.puts++ }

// BenchmarkWrite changes one key in the middle of a leaf.
func BenchmarkWrite(b *testing.B) {
	for _, s := range spellings {
		for _, size := range sizes {
			b.Run(s.name+"/"+size.name, func(b *testing.B) {
				src, root := bigTree(size.n, s.key)
				tree, err := Read(src, root, nil)
				if err != nil {
					b.Fatal(err)
				}
				i := size.n/2 + 7
				k := tree.Entry(i).Key + "0"
				b.ReportAllocs()
				for b.Loop() {
					e := tree.Edit()
					e.SetKey(i, k)
					var sink counter
					if _, err := e.Write(src, &sink, root); err != nil || sink.puts != 1 {
						b.Fatal(sink.puts, err)
					}
				}
			})
		}
	}
}

// BenchmarkWriteNew writes new trees.
func BenchmarkWriteNew(b *testing.B) {
	for _, size := range sizes {
		b.Run(size.name, func(b *testing.B) {
			e := new(Tree).Edit()
			for i := range size.n {
				e.Add(Key(fmt.Sprintf("http://www.example.com/archive/%09d/index.html", i*7919%size.n)),
					[]byte("5 0 R"))
			}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := e.Write(denseSource{}, &counter{}, object.Object{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
