package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
)

// urlsOf returns the unchanged edit of URLS of a file with three content sets, given the entries.
func urlsOf(t *testing.T, entries string) *treeEdit {
	t.Helper()
	p := plannerOf(t, "names: << /URLS << /Names [ "+entries+" ] >> >>\n"+info+setA+setB+
		"22 0 obj << /S /SPS /ID 45 0 R /O [ 10 0 R ] /SI [ << /AU 46 0 R >> << /AU (http://b/0) >> ] >>\n"+
		"23 0 obj << /S /SPS /SI << >> >>\n24 0 obj ]\n45 0 obj (the ID)\n46 0 obj (http://c/0)\n", Options{})
	return p.trees[webcapture.URLS]
}

// valuesOf returns the content sets of each entry of an edit.
func valuesOf(t *testing.T, e *treeEdit) string {
	t.Helper()
	var values []string
	for i := range e.tree.Len() {
		list, err := e.elements(i)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, textOf(list))
	}
	return strings.Join(values, ", ")
}

// textOf returns the numbers of references.
func textOf(list []object.Object) string {
	var nums []string
	for _, o := range list {
		ref, _ := o.Ref()
		nums = append(nums, fmt.Sprint(ref.Num))
	}
	return strings.Join(nums, " ")
}

// additionsOf returns the added keys with their content sets.
func additionsOf(e *treeEdit) string {
	var list []string
	for _, a := range e.added {
		list = append(list, fmt.Sprintf("%s %s", a.key, a.set.Append(nil)))
	}
	return strings.Join(list, ", ")
}

// TestTakeOut: a content set leaves all entries with a key, and stays in the others. Without such an entry the tree
// does not change.
func TestTakeOut(t *testing.T) {
	const entries = "(a) 20 0 R (b) [ 20 0 R 21 0 R << >> ] (b) [ 22 0 R 20 0 R ] (c) 20 0 R"
	for key, want := range map[nametree.Key]string{
		"a": ", 20 21 0, 22 20, 20", "b": "20, 21 0, 22, 20", "x": "20, 20 21 0, 22 20, 20",
	} {
		t.Run(string(key), func(t *testing.T) {
			e := urlsOf(t, entries)
			if err := e.takeOut(key, refTo(20)); err != nil {
				t.Fatal(err)
			}
			if got := valuesOf(t, e); got != want {
				t.Errorf("the content sets are %s, want %s", got, want)
			}
			if e.touched != (key != "x") {
				t.Errorf("the tree is written: %v", e.touched)
			}
		})
	}
}

// TestMove: a content set moves from an entry to another key. The others stay.
func TestMove(t *testing.T) {
	for entry, want := range map[string]string{
		"(x) [ 20 0 R 22 0 R ]": "22, (new) 20 0 R",
		"(x) 20 0 R":            ", (new) 20 0 R",
	} {
		e := urlsOf(t, entry)
		if err := e.move(0, refTo(20), "new"); err != nil {
			t.Fatal(err)
		}
		if got := valuesOf(t, e) + ", " + additionsOf(e); got != want || !e.touched {
			t.Errorf("%s: %q, want %q", entry, got, want)
		}
	}
}

// TestTidy: null, references to null, and repeated references leave a value. Direct and unreadable content sets stay.
func TestTidy(t *testing.T) {
	e := urlsOf(t, "(a) [ 20 0 R null 99 0 R 24 0 R << >> 20 0 R << >> 24 0 R 21 0 R ]")
	if err := e.tidy(0); err != nil {
		t.Fatal(err)
	}
	if got := valuesOf(t, e); got != "20 24 0 0 21" {
		t.Errorf("the value is %s", got)
	}
}

// TestStrayPairsAreCollectedOnce: a file may have many stray pairs, and each is looked up on its own. An entry whose
// key is there twice is not a stray pair.
func TestStrayPairsAreCollectedOnce(t *testing.T) {
	e := urlsOf(t, "(http://a/0) 20 0 R (http://a/0) 21 0 R 12 21 0 R null 22 0 R (http://b/0)")
	at := [2]int{0, 2}
	if d := e.strayPair(at); d.Kind != nametree.KeyNotString || len(e.pairs) != 3 {
		t.Errorf("%v, of %d stray pairs", d, len(e.pairs))
	}
	if n := testing.AllocsPerRun(10, func() { e.strayPair(at) }); n > 0 {
		t.Errorf("%v allocations to collect them again", n)
	}
}

// TestHolds: a value stays as stored if it consists of exactly the content sets of its key, in their order. An
// unreadable value stays if nothing joins it.
func TestHolds(t *testing.T) {
	for _, c := range []struct {
		value string
		sets  []uint32
		want  bool
	}{
		{"20 0 R", []uint32{20}, true}, {"20 0 R", []uint32{21}, false}, {"20 0 R", []uint32{20, 21}, false},
		{"[ 20 0 R 21 0 R ]", []uint32{20, 21}, true}, {"[ 20 0 R 21 0 R ]", []uint32{21, 20}, false},
		{"[ 20 0 R 21 0 R ]", []uint32{20}, false}, {"[ 20 0 R ]", []uint32{20}, true},
		{"24 0 R", []uint32{24}, true}, {"24 0 R", []uint32{24, 20}, false},
	} {
		t.Run(fmt.Sprint(c.value, c.sets), func(t *testing.T) {
			e := urlsOf(t, "(a) "+c.value)
			var list []object.Object
			for _, num := range c.sets {
				list = append(list, object.MakeRef(refTo(num)))
			}
			got, err := e.p.holds(e, 0, list)
			if got != c.want || err != nil {
				t.Errorf("it stays: %v, %v; want %v", got, err, c.want)
			}
		})
	}
}

// TestEntryAt: only a place of a pair in a tree is that of an entry.
func TestEntryAt(t *testing.T) {
	e := urlsOf(t, "(http://a/0) 20 0 R (http://b/0) 21 0 R")
	for i := range 2 {
		at := rule.PlaceOf(e.p.db.URLS, e.p.db.URLS.Entry(i))
		if tree, got, ok := e.p.entry(at); !ok || got != i || tree != e {
			t.Errorf("entry %d is found: %v, as %d", i, ok, got)
		}
	}
	pair := rule.PlaceOf(e.p.db.URLS, e.p.db.URLS.Entry(0))
	kid, whole, behind := *pair.Node, *pair.Node, *pair.Node
	kid.Kid, whole.Index, behind.Index = true, -1, 2
	for name, at := range map[string]rule.Place{
		"no tree": {Node: pair.Node}, "no node": {Tree: "URLS"}, "a kid": {Tree: "URLS", Node: &kid},
		"a whole node": {Tree: "URLS", Node: &whole}, "after the last pair": {Tree: "URLS", Node: &behind},
	} {
		if _, _, ok := e.p.entry(at); ok {
			t.Errorf("%s is an entry", name)
		}
	}
}
