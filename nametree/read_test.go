package nametree

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/nametree/object/objecttest"
)

// line prints a defect without details: kind, node, kid or pair, and the entry and other object if there are any.
func line(d Defect) string {
	s := fmt.Sprintf("%v %d/%d", d.Kind, d.Node, d.Index)
	if d.Entry >= 0 {
		s += fmt.Sprintf(" entry %d", d.Entry)
	}
	if d.Other >= 0 {
		s += fmt.Sprintf(" other %d", d.Other)
	}
	return s
}

func lines(t *Tree) []string {
	var out []string
	for d := range t.Defects() {
		out = append(out, line(d))
	}
	return out
}

// keys prints the keys of the entries in stored order.
func keys(t *Tree) string {
	var out []string
	for _, e := range t.Entries() {
		out = append(out, e.Key.String())
	}
	return strings.Join(out, " ")
}

func mustRead(tb testing.TB, text string) *Tree {
	tb.Helper()
	s := objecttest.New(tb, text)
	tree, err := Read(s, s.Object("root"), nil)
	if err != nil {
		tb.Fatal(err)
	}
	check(tb, tree)
	return tree
}

// check checks the invariants of a tree, which hold for any file.
func check(tb testing.TB, t *Tree) {
	tb.Helper()
	seen := 0
	for i := range t.NodeCount() {
		n := t.Node(i)
		for _, k := range n.Kids {
			if kid := t.Node(k); kid.Parent != i || kid.Depth != n.Depth+1 || k <= i {
				tb.Fatalf("node %d: kid %d is %+v", i, k, kid)
			}
		}
		if n.Count > 0 && n.First != seen {
			tb.Fatalf("node %d: entries begin at %d, want %d", i, n.First, seen)
		}
		for j := n.First; j < n.First+n.Count; j++ {
			if e := t.Entry(j); e.Node != i {
				tb.Fatalf("entry %d is of node %d, want %d", j, e.Node, i)
			}
		}
		seen += n.Count
	}
	if seen != t.Len() {
		tb.Fatalf("nodes have %d entries, tree has %d", seen, t.Len())
	}
	missed := slices.Collect(t.Missed())
	ascending := true
	for i, e := range t.Entries() {
		ascending = ascending && (i == 0 || t.Entry(i-1).Key < e.Key)
		if all := slices.Collect(t.All(e.Key)); !slices.Contains(all, i) || !slices.IsSorted(all) {
			tb.Fatalf("All(%v) = %v, does not have %d in order", e.Key, all, i)
		}
		if j, _ := t.Find(e.Key); (j != i) != slices.Contains(missed, i) {
			tb.Fatalf("Find(%v) = %d, entry %d, missed %v", e.Key, j, i, missed)
		}
	}
	if ascending != t.Ascending() {
		tb.Fatalf("Ascending() = %v, want %v", t.Ascending(), ascending)
	}
	last := Defect{Node: -1, Index: -1}
	for d := range t.Defects() {
		if d.Node < last.Node || d.Node == last.Node && d.Index < last.Index {
			tb.Fatalf("%s stands after %s", line(d), line(last))
		}
		last = d
		_ = d.Kind.String()
	}
}

const cleanTree = `
	root: << /Kids [ 1 0 R 2 0 R ] >>
	1 0 obj << /Limits [ (a) (b) ] /Names [ (a) 11 0 R (b) 12 0 R ] >> endobj
	2 0 obj << /Limits [ (c) (d) ] /Names [ (c) 13 0 R (d) 14 0 R ] >> endobj
`

// TestReadReportsEachDefectAlone has for each kind of defect a tree with no defect of another kind.
func TestReadReportsEachDefectAlone(t *testing.T) {
	var huge, hugeKeys, deep strings.Builder
	for i := range hugeLeaf + 1 {
		fmt.Fprintf(&huge, "(%04d) 9 0 R ", i)
		fmt.Fprintf(&hugeKeys, " (%04d)", i)
	}
	for i := range maxDepth - 1 {
		fmt.Fprintf(&deep, "%d 0 obj << /Limits [ (b) (c) ] /Kids [ %d 0 R ] >> endobj\n", 10+i, 11+i)
	}
	tests := []struct {
		kind DefectKind
		text string
		want string // after the kind
		keys string
	}{
		{RootNotDictionary, `root: [ ]`, "-1/-1", ""},
		{Unreadable, `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (b endobj`, "0/1", "(a)"},
		{BothKidsAndNames, `root: << /Names [ (a) 9 0 R ] /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (b) (b) ] /Names [ (b) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (c) (c) ] /Names [ (c) 9 0 R ] >> endobj`, "0/-1", "(a) (b) (c)"},
		{NeitherKidsNorNames, `root: << >>`, "0/-1", ""},
		{KidsNotArray, `root: << /Kids 5 >>`, "0/-1", ""},
		{NamesNotArray, `root: << /Names (a) >>`, "0/-1", ""},
		{KeyTwice, `root: << /Names [ (a) 9 0 R ] /Names [ (b) 9 0 R ] >>`, "0/-1", "(b)"},
		{ForeignKey, `root: << /Type /NameTree /Names [ (a) 9 0 R ] >>`, "0/-1", "(a)"},
		{RootLimits, `root: << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >>`, "0/-1", "(a)"},
		{LimitsMissing, `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Names [ (a) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 9 0 R ] >> endobj`, "1/-1", "(a) (b)"},
		{LimitsMalformed, `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (b) (c) ] /Names [ (a) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 9 0 R ] >> endobj`, "1/-1", "(a) (b)"},
		{LimitsWrong, `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (b) ] /Names [ (a) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 9 0 R ] >> endobj`, "1/-1", "(a) (b)"},
		{EmptyKids, `root: << /Kids [ ] >>`, "0/-1", ""},
		{KidNotIndirect, `root: << /Kids [ << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> 2 0 R ] >>
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 9 0 R ] >> endobj`, "0/0", "(a) (b)"},
		{KidNotDictionary, `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> endobj`, "0/1", "(a)"},
		{NodeCycle, `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (b) (c) ] /Kids [ 3 0 R 2 0 R ] >> endobj
			3 0 obj << /Limits [ (b) (c) ] /Names [ (b) 9 0 R (c) 9 0 R ] >> endobj`, "2/1 other 2", "(a) (b) (c)"},
		{NodeShared, `root: << /Kids [ 1 0 R 2 0 R 1 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ (b) 9 0 R ] >> endobj`, "0/2 other 1", "(a) (b)"},
		{EmptyLeaf, `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (b) (b) ] /Names [ ] >> endobj`, "2/-1", "(a)"},
		{HugeLeaf, `root: << /Names [ ` + huge.String() + ` ] >>`, "0/-1", hugeKeys.String()[1:]},
		{OddNames, `root: << /Names [ (a) 9 0 R (b) ] >>`, "0/1", "(a)"},
		{KeyNull, `root: << /Names [ (a) 9 0 R 8 0 R 9 0 R (c) 9 0 R ] >>`, "0/1", "(a) (c)"},
		{KeyNotString, `root: << /Names [ /a 9 0 R (b) 9 0 R ] >>`, "0/0", "(b)"},
		{KeyUnreadable, `root: << /Names [ (a) 9 0 R 8 0 R 9 0 R ] >>
			8 0 obj (b endobj`, "0/1", "(a)"},
		{ValueNull, `root: << /Names [ (a) 9 0 R (b) null ] >>`, "0/1 entry 1", "(a) (b)"},
		{KeyOrder, `root: << /Names [ (b) 9 0 R (a) 9 0 R (c) 9 0 R ] >>`, "0/1 entry 1 other 0", "(b) (a) (c)"},
		{DuplicateKey, `root: << /Names [ (a) 9 0 R <61> 9 0 R ] >>`, "0/1 entry 1 other 0", "(a) (a)"},
		{TooDeep, `root: << /Kids [ 1 0 R 10 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> endobj ` + deep.String(),
			fmt.Sprintf("%d/0", maxDepth), "(a)"},
	}
	var seen [defectKinds]bool
	for _, test := range tests {
		t.Run(test.kind.String(), func(t *testing.T) {
			seen[test.kind] = true
			tree := mustRead(t, test.text)
			if got, want := strings.Join(lines(tree), ", "), test.kind.String()+" "+test.want; got != want {
				t.Errorf("defects are %s, want %s", got, want)
			}
			if got := keys(tree); got != test.keys {
				t.Errorf("keys are %s, want %s", got, test.keys)
			}
		})
	}
	for kind, ok := range seen {
		if kind := DefectKind(kind); !ok {
			t.Errorf("no tree for %v", kind)
		}
	}
}

func TestReadOfCleanTreeHasNoDefects(t *testing.T) {
	tree := mustRead(t, cleanTree)
	if got := lines(tree); got != nil {
		t.Errorf("defects are %q, want none", got)
	}
	e := tree.Entry(2)
	if ref, _ := e.Value.Ref(); e.Key != "c" || ref.Num != 13 || e.KeyRef.Num != 0 || e.Node != 2 || e.Pair != 0 {
		t.Errorf("entry 2 is %+v", e)
	}
	want := Limits{"a", "b"}
	if n := tree.Node(1); !n.HasLimits || n.Limits != want || !n.HasBounds || n.Bounds != want || n.Ref.Num != 1 ||
		n.Index != 0 {
		t.Errorf("node 1 is %+v", n)
	}
	if n := tree.Node(0); n.HasLimits || n.Bounds != (Limits{"a", "d"}) || n.Parent != -1 ||
		!slices.Equal(n.Kids, []int{1, 2}) {
		t.Errorf("root is %+v", n)
	}
}

// Acrobat writes trees like this: only a root, no Limits, keys shared with the content sets, and an empty root if
// captured pages were deleted.
func TestReadTakesWhatAcrobatWrites(t *testing.T) {
	tree := mustRead(t, `
		root: << /Names [ 69 0 R 41 0 R 70 0 R 42 0 R ] >>
		69 0 obj (http://a/) endobj
		70 0 obj <687474703a2f2f622f> endobj
	`)
	if got := lines(tree); got != nil {
		t.Errorf("defects are %q, want none", got)
	}
	if got := keys(tree); got != "(http://a/) (http://b/)" {
		t.Errorf("keys are %s", got)
	}
	if e := tree.Entry(1); e.KeyRef != (object.Ref{Num: 70}) {
		t.Errorf("key of entry 1 is %v, want 70 0 R", e.KeyRef)
	}
	if i, ok := tree.Find("http://b/"); i != 1 || !ok {
		t.Errorf("Find = %d, %v, want 1, true", i, ok)
	}

	tree = mustRead(t, `root: <<>>`)
	if got := lines(tree); !slices.Equal(got, []string{"NeitherKidsNorNames 0/-1"}) {
		t.Errorf("defects of an empty root are %q", got)
	}
	tree = mustRead(t, `root: << /Names [] >>`)
	if got := lines(tree); got != nil {
		t.Errorf("defects of an empty tree are %q, want none", got)
	}
}

func TestReadFollowsReferencesEverywhere(t *testing.T) {
	tree := mustRead(t, `
		root: 1 0 R
		1 0 obj 2 0 R endobj
		2 0 obj << /Kids 3 0 R >> endobj
		3 0 obj [ 4 0 R 5 0 R ] endobj
		4 0 obj << /Limits 6 0 R /Names 7 0 R >> endobj
		5 0 obj << /Limits [ 21 0 R 22 0 R ] /Names [ 21 0 R 91 0 R 22 0 R 92 0 R ] >> endobj
		6 0 obj [ 11 0 R 12 0 R ] endobj
		7 0 obj [ 11 0 R 93 0 R 13 0 R 94 0 R ] endobj
		11 0 obj (a) endobj
		12 0 obj 13 0 R endobj
		13 0 obj (b) endobj
		21 0 obj <63> endobj
		22 0 obj (d) endobj
	`)
	if got := lines(tree); got != nil {
		t.Errorf("defects are %q, want none", got)
	}
	if got := keys(tree); got != "(a) (b) (c) (d)" {
		t.Errorf("keys are %s", got)
	}
	if got := tree.Node(0).Ref; got != (object.Ref{Num: 2}) {
		t.Errorf("the root is %v, want 2 0 R, where its dictionary is", got)
	}
}

func TestReadResolvesNoValue(t *testing.T) {
	s := objecttest.New(t, cleanTree)
	if _, err := Read(s, s.Object("root"), nil); err != nil {
		t.Fatal(err)
	}
	if got := s.Gets(); got != 2 {
		t.Errorf("%d objects were read, want 2: the leaves", got)
	}
}

func TestReadKeepsDirectValues(t *testing.T) {
	tree := mustRead(t, `root: << /Names [ (a) << /S /SPS >> (b) [ 1 0 R ] (c) 0 0 R (d) 7 ] >>`)
	want := []string{"<< /S /SPS >>", "[ 1 0 R ]", `0 0 R`, "7"}
	for i, e := range tree.Entries() {
		if got := fmt.Sprintf("%v", e.Value); got != want[i] {
			t.Errorf("value %d is %s, want %s", i, got, want[i])
		}
	}
}

func TestReadKeepsNoViews(t *testing.T) {
	text := []byte(`<< /Odd 1 /Limits (l) /Names [ (a) << /S /SPS >> /k (value) (b) [ 1 0 R ] (z) ] >>`)
	o, _, err := object.Parse(text, 0)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := Read(&objecttest.Store{}, o, nil)
	if err != nil {
		t.Fatal(err)
	}
	before := fmt.Sprintf("%s %v %v", keys(tree), tree.Entry(0), slices.Collect(tree.Defects()))
	for i := range text {
		text[i] = 'x'
	}
	if after := fmt.Sprintf("%s %v %v", keys(tree), tree.Entry(0), slices.Collect(tree.Defects())); after != before {
		t.Errorf("tree was %s, is %s", before, after)
	}
}

func TestReadKeepsValuesWithoutKeys(t *testing.T) {
	tree := mustRead(t, `
		root: << /Names [ /k 1 0 R null (two) 8 0 R [ 3 0 R ] (z) ] >>
		8 0 obj (oops endobj
	`)
	want := []struct {
		kind         DefectKind
		found, value string
		err          bool
	}{
		{KeyNotString, "/k", "1 0 R", false},
		{KeyNull, "null", "(two)", false},
		{KeyUnreadable, "8 0 R", "[ 3 0 R ]", true},
		{OddNames, "(z)", "null", false},
	}
	if len(tree.defects) != len(want) {
		t.Fatalf("defects are %q", lines(tree))
	}
	for i, w := range want {
		t.Run(fmt.Sprint(w.kind), func(t *testing.T) {
			d := tree.defects[i]
			found, value := fmt.Sprintf("%v", d.Found), fmt.Sprintf("%v", d.Value)
			if d.Kind != w.kind || found != w.found || value != w.value || object.IsMalformed(d.Err) != w.err {
				t.Errorf("defect %d is %v, %s, %s, %v; want %v, %s, %s", i, d.Kind, found, value, d.Err, w.kind, w.found,
					w.value)
			}
		})
	}
}

// A defect keeps the offending object, so that it can be shown verbatim.
func TestReadKeepsWhatIsWrongWithADictionary(t *testing.T) {
	tree := mustRead(t, `
		root: << /Type /NameTree /Names 5 /Names [ ] /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits 8 0 R /Names [ (a) 1 ] >> endobj
		2 0 obj << /Limits [ (b) 8 0 R ] /Names [ (b) 1 ] >> endobj
		8 0 obj [ endobj
	`)
	want := []struct {
		kind               DefectKind
		name, found, value string
		err                bool
	}{
		{ForeignKey, "Type", "null", "/NameTree", false},
		{KeyTwice, "Names", "null", "5", false},
		{BothKidsAndNames, "", "null", "null", false},
		{LimitsMalformed, "", "8 0 R", "null", true},
		{LimitsMalformed, "", "[ (b) 8 0 R ]", "null", true},
	}
	if len(tree.defects) != len(want) {
		t.Fatalf("defects are %q", lines(tree))
	}
	for i, w := range want {
		t.Run(w.name, func(t *testing.T) {
			d := tree.defects[i]
			found, value := fmt.Sprintf("%v", d.Found), fmt.Sprintf("%v", d.Value)
			if d.Kind != w.kind || d.Name != w.name || found != w.found || value != w.value ||
				object.IsMalformed(d.Err) != w.err {
				t.Errorf("defect %d is %v %q, %s, %s, %v; want %v %q, %s, %s", i, d.Kind, d.Name, found, value, d.Err,
					w.kind, w.name, w.found, w.value)
			}
		})
	}
}

func TestReadTellsDefectsApart(t *testing.T) {
	tests := []struct {
		name, text string
		want       []string
		keys       string
	}{
		{"null root", `root: null`, []string{"RootNotDictionary -1/-1"}, ""},
		{"dangling root", `root: 1 0 R`, []string{"RootNotDictionary -1/-1"}, ""},
		{"stream as root", "root: 1 0 R 1 0 obj << /Names [ (a) 1 ] >> stream\nx\nendstream endobj",
			[]string{"RootNotDictionary -1/-1"}, ""},
		{"unreadable root", `root: 1 0 R 1 0 obj << endobj`, []string{"Unreadable -1/-1"}, ""},
		{"root that leads to references only", `root: 1 0 R 1 0 obj 1 0 R endobj`, []string{"Unreadable -1/-1"}, ""},
		{"null is absent", `root: << /Kids null /Names 7 0 R /Limits null >>`, []string{"NeitherKidsNorNames 0/-1"},
			""},
		{"unreadable arrays", `root: << /Kids 1 0 R /Names 1 0 R /Limits 1 0 R >> 1 0 obj [ endobj`,
			[]string{"RootLimits 0/-1", "KidsNotArray 0/-1", "NamesNotArray 0/-1", "BothKidsAndNames 0/-1"}, ""},
		{"limits not to be read", `root: << /Kids [ 1 0 R 2 0 R 3 0 R 4 0 R ] >>
			1 0 obj << /Limits 8 0 R /Names [ (a) 1 ] >> endobj
			2 0 obj << /Limits [ (b) 8 0 R ] /Names [ (b) 1 ] >> endobj
			3 0 obj << /Limits [ (c) 7 0 R ] /Names [ (c) 1 ] >> endobj
			4 0 obj << /Limits [ (d) ] /Names [ (d) 1 ] >> endobj
			8 0 obj [ endobj`,
			[]string{"LimitsMalformed 1/-1", "LimitsMalformed 2/-1", "LimitsMalformed 3/-1", "LimitsMalformed 4/-1"},
			"(a) (b) (c) (d)"},
		{"mutual cycle", `root: << /Kids [ 1 0 R 3 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Kids [ 2 0 R 4 0 R ] >> endobj
			2 0 obj << /Limits [ (a) (a) ] /Kids [ 1 0 R 5 0 R ] >> endobj
			3 0 obj << /Limits [ (b) (b) ] /Names [ (b) 9 0 R ] >> endobj
			4 0 obj << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> endobj`,
			[]string{"NodeCycle 2/0 other 1", "KidNotDictionary 2/1"}, "(a) (b)"},
		{"cycle through the root", `root: 1 0 R
			1 0 obj << /Kids [ 2 0 R 1 0 R ] >> endobj
			2 0 obj << /Limits [ (a) (a) ] /Kids [ 3 0 R 1 0 R ] >> endobj
			3 0 obj << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> endobj`,
			[]string{"NodeCycle 0/1 other 0", "NodeCycle 1/1 other 0"}, "(a)"},
		{"node that is reached by two names", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 9 0 R ] >> endobj
			2 0 obj 1 0 R endobj`, []string{"NodeShared 0/1 other 1"}, "(a)"},
		{"order across leaves", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (c) (d) ] /Names [ (c) 9 0 R (d) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (a) (b) ] /Names [ (a) 9 0 R (b) 9 0 R ] >> endobj`,
			[]string{"KeyOrder 2/0 entry 2 other 1"}, "(c) (d) (a) (b)"},
		{"duplicate across leaves", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (b) ] /Names [ (a) 9 0 R (b) 9 0 R ] >> endobj
			2 0 obj << /Limits [ (b) (c) ] /Names [ (b) 9 0 R (c) 9 0 R ] >> endobj`,
			[]string{"DuplicateKey 2/0 entry 2 other 1"}, "(a) (b) (b) (c)"},
		{"duplicates far apart", `root: << /Names [ (b) 1 (c) 1 (a) 1 (b) 1 (b) 1 (c) 1 ] >>`,
			[]string{"KeyOrder 0/2 entry 2 other 1", "DuplicateKey 0/3 entry 3 other 0",
				"DuplicateKey 0/4 entry 4 other 0",
				"DuplicateKey 0/5 entry 5 other 1"}, "(b) (c) (a) (b) (b) (c)"},
		{"shorter key first, high bytes last", `root: << /Names [ () 1 (a) 1 (aa) 1 <61ff> 1 (b) 1 <7f> 1 <80> 1 ] >>`,
			nil,
			"() (a) (aa) <61ff> (b) <7f> <80>"},
		{"limits of inner nodes", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (d) ] /Kids [ 3 0 R 4 0 R ] >> endobj
			2 0 obj << /Limits [ (e) (e) ] /Names [ (e) 1 ] >> endobj
			3 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
			4 0 obj << /Limits [ (b) (c) ] /Names [ (b) 1 (c) 1 ] >> endobj`,
			[]string{"LimitsWrong 1/-1"}, "(a) (b) (c) (e)"},
		{"limits over what was not read are not judged", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (d) ] /Kids [ 3 0 R 4 0 R ] >> endobj
			2 0 obj << /Limits [ (e) (e) ] /Names [ (e) 1 ] >> endobj
			3 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 8 0 R 1 ] >> endobj
			4 0 obj << endobj
			8 0 obj ( endobj`,
			[]string{"Unreadable 1/1", "KeyUnreadable 2/1"}, "(a) (e)"},
		{"limits over an unreadable kid are not judged", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (d) ] /Kids [ 3 0 R 4 0 R ] >> endobj
			2 0 obj << /Limits [ (e) (e) ] /Names [ (e) 1 ] >> endobj
			3 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 (b) 1 ] >> endobj
			4 0 obj << endobj`,
			[]string{"Unreadable 1/1"}, "(a) (b) (e)"},
		{"limits over a node that stands elsewhere, too, are not judged", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj
			2 0 obj << /Limits [ (a) (b) ] /Kids [ 1 0 R 3 0 R ] >> endobj
			3 0 obj << /Limits [ (b) (b) ] /Names [ (b) 1 ] >> endobj`,
			[]string{"NodeShared 2/0 other 1"}, "(a) (b)"},
		{"limits over leaves in disorder", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (d) ] /Kids [ 3 0 R 4 0 R ] >> endobj
			2 0 obj << /Limits [ (e) (g) ] /Names [ (f) 1 (e) 1 (g) 1 ] >> endobj
			3 0 obj << /Limits [ (c) (d) ] /Names [ (c) 1 (d) 1 ] >> endobj
			4 0 obj << /Limits [ (a) (b) ] /Names [ (a) 1 (b) 1 ] >> endobj`,
			[]string{"KeyOrder 3/0 entry 2 other 1", "KeyOrder 4/1 entry 5 other 4"}, "(c) (d) (a) (b) (f) (e) (g)"},
		{"a kid with the number 0 is not the root", `root: << /Kids [ 0 0 R 1 0 R ] >>
			1 0 obj << /Limits [ (a) (a) ] /Names [ (a) 1 ] >> endobj`,
			[]string{"KidNotDictionary 0/0"}, "(a)"},
		{"limits are those of the keys, not of the places", `root: << /Kids [ 1 0 R 2 0 R ] >>
			1 0 obj << /Limits [ (a) (d) ] /Names [ (b) 1 (d) 1 (a) 1 (c) 1 ] >> endobj
			2 0 obj << /Limits [ (e) (e) ] /Names [ (e) 1 ] >> endobj`,
			[]string{"KeyOrder 1/2 entry 2 other 1"}, "(b) (d) (a) (c) (e)"},
		{"names before kids", `root: << /Kids [ 1 0 R null ] /Names [ (z) 1 ] >>
			1 0 obj << /Names [ (a) 1 ] >> endobj`,
			[]string{"BothKidsAndNames 0/-1", "KidNotDictionary 0/1", "LimitsMissing 1/-1",
				"KeyOrder 1/0 entry 1 other 0"}, "(z) (a)"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			tree := mustRead(t, test.text)
			if got := lines(tree); !slices.Equal(got, test.want) {
				t.Errorf("defects are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if got := keys(tree); got != test.keys {
				t.Errorf("keys are %s, want %s", got, test.keys)
			}
		})
	}
}

func TestReadGivesTheRightLimits(t *testing.T) {
	tree := mustRead(t, `root: << /Kids [ 1 0 R 2 0 R ] >>
		1 0 obj << /Limits [ (x) (y) ] /Names [ (b) 1 (c) 1 (a) 1 ] >> endobj
		2 0 obj << /Names [ (e) 1 ] >> endobj`)
	if got := tree.Node(1).Bounds; got != (Limits{"a", "c"}) {
		t.Errorf("bounds of node 1 are %v", got)
	}
	if got := tree.Node(2).Bounds; got != (Limits{"e", "e"}) {
		t.Errorf("bounds of node 2 are %v", got)
	}
}

func TestReadStopsAtDepth(t *testing.T) {
	for _, depth := range []int{63, 64, 65, 5000} {
		t.Run(fmt.Sprint(depth), func(t *testing.T) {
			var s objecttest.Store
			for i := 1; i < depth; i++ {
				s.Set(object.Ref{Num: uint32(i)}, fmt.Sprintf("<< /Limits [ (a) (a) ] /Kids [ %d 0 R null ] >>", i+1))
			}
			s.Set(object.Ref{Num: uint32(depth)}, "<< /Limits [ (a) (a) ] /Names [ (a) 1 ] >>")
			tree, err := Read(&s, object.MakeRef(object.Ref{Num: 1}), nil)
			if err != nil {
				t.Fatal(err)
			}
			check(t, tree)
			tooDeep := slices.ContainsFunc(slices.Collect(tree.Defects()), func(d Defect) bool { return d.Kind == TooDeep })
			if got, want := tree.NodeCount(), min(depth, 64); got != want || tooDeep != (depth > 64) {
				t.Errorf("depth %d: %d nodes, too deep: %v; want %d, %v", depth, got, tooDeep, want, depth > 64)
			}
		})
	}
}

// A small file whose tree is endless.
func TestReadIsBounded(t *testing.T) {
	var s objecttest.Store
	var all strings.Builder
	for i := range 300 {
		fmt.Fprintf(&all, "%d 0 R ", i+10)
		s.Set(object.Ref{Num: uint32(i + 10)}, "<< /Kids 1 0 R /Names 2 0 R >>")
	}
	s.Set(object.Ref{Num: 1}, "[ "+all.String()+" ]")
	s.Set(object.Ref{Num: 2}, "[ "+strings.Repeat("3 0 R 4 0 R ", 300)+" ]")
	s.Set(object.Ref{Num: 3}, "("+strings.Repeat("k", 300)+")")
	left := int64(1 << 20)
	over := errors.New("over")
	tree, err := Read(&s, object.MakeRef(object.Ref{Num: 10}), func(n int64) error {
		if left -= n; left < 0 {
			return over
		}
		return nil
	})
	if tree != nil || err != over || s.Gets() > 10000 {
		t.Errorf("%v, %d objects read", err, s.Gets())
	}
}

// TestWhatIsKept: entries, nodes, defects, keys, and direct values count as memory that is kept.
func TestWhatIsKept(t *testing.T) {
	kept := func(text string) (all int64) {
		s := objecttest.New(t, text)
		if _, err := Read(s, s.Object("root"), func(n int64) error { all += n; return nil }); err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := kept(`root: << /Names [ (a) 1 0 R ] >>`)
	for _, test := range []struct {
		name, text string
		more       int64
	}{
		{"an entry", `root: << /Names [ (a) 1 0 R (b) 1 0 R ] >>`, entrySize + 1},
		{"a long key", `root: << /Names [ (a) 1 0 R (b` + strings.Repeat("b", longString) + `) 1 0 R ] >>`, 8 * longString},
		{"a direct value", `root: << /Names [ (a) (value) ] >>`, 2},
		{"a kid", `root: << /Names [ (a) 1 0 R ] /Kids [ << >> ] >>`, nodeSize},
		{"a defect", `root: << /Names [ (a) 1 0 R ] /Foreign (value) >>`, defectSize + int64(len("Foreign(value)"))},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := kept(test.text) - before; got < test.more {
				t.Errorf("%d bytes more, want at least %d", got, test.more)
			}
		})
	}
}

// TestKeepEndsTheReading: its error, at any point, is the error of the reading.
func TestKeepEndsTheReading(t *testing.T) {
	over := errors.New("over")
	s := objecttest.New(t, cleanTree)
	if tree, err := Read(s, s.Object("root"), func(int64) error { return over }); tree != nil || err != over {
		t.Errorf("%v, %v", tree, err)
	}
}

// TestKeepEndsTheMemory: after keep returns an error, Read allocates little more, although each pair has a defect, or a
// key is as long as the file.
func TestKeepEndsTheMemory(t *testing.T) {
	over := errors.New("over")
	for name, text := range map[string]string{
		"equal keys":  `root: << /Names [ ` + strings.Repeat("()1 ", 300_000) + `] >>`,
		"null values": `root: << /Names [ ` + strings.Repeat("()null ", 300_000) + `] >>`,
		"a long key":  `root: << /Names [ (` + strings.Repeat("k", 40<<20) + `) 1 0 R ] >>`,
	} {
		t.Run(name, func(t *testing.T) {
			s := objecttest.New(t, text)
			root, left := s.Object("root"), int64(16<<20)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			tree, err := Read(s, root, func(n int64) error {
				if left -= n; left < 0 {
					return over
				}
				return nil
			})
			runtime.ReadMemStats(&after)
			if n := int64(after.TotalAlloc - before.TotalAlloc); tree != nil || err != over || n > 64<<20 {
				t.Errorf("%v, %d bytes allocated", err, n)
			}
		})
	}
}

// A failOnce is a Source that fails once, after some objects: a disk that was busy for a moment must not give a
// tree without that part.
type failOnce struct {
	object.Source
	err   error
	after int
}

func (f *failOnce) Get(r object.Ref) (object.Object, error) {
	if f.after--; f.after == -1 {
		return object.Object{}, f.err
	}
	return f.Source.Get(r)
}

func TestReadSurfacesEveryFailureOfItsSource(t *testing.T) {
	const text = `
		root: 1 0 R
		1 0 obj << /Kids 3 0 R >> endobj
		3 0 obj [ 4 0 R 5 0 R << /Limits [ (e) (f) ] /Names 8 0 R >> ] endobj
		4 0 obj << /Limits 6 0 R /Names 7 0 R >> endobj
		5 0 obj << /Limits [ 21 0 R 22 0 R ] /Names [ 21 0 R 91 0 R 22 0 R 92 0 R ] >> endobj
		6 0 obj [ 11 0 R 12 0 R ] endobj
		7 0 obj [ 11 0 R 93 0 R 12 0 R 94 0 R ] endobj
		8 0 obj [ (e) 95 0 R (f) 96 0 R ] endobj
		11 0 obj (a) endobj 12 0 obj (b) endobj 21 0 obj (c) endobj 22 0 obj (d) endobj
	`
	s := objecttest.New(t, text)
	if _, err := Read(s, s.Object("root"), nil); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the disk is broken")
	for after := range s.Gets() {
		s := objecttest.New(t, text)
		tree, err := Read(&failOnce{s, broken, after}, s.Object("root"), nil)
		if tree != nil || !errors.Is(err, broken) {
			t.Errorf("after %d objects: %v, %v; want nil and the failure", after, tree, err)
		}
		if err != nil && !strings.HasPrefix(err.Error(), "name tree: object ") {
			t.Errorf("after %d objects: %v: does not tell the object", after, err)
		}
	}
}

func TestReadTakesTreesOfAllSizes(t *testing.T) {
	for _, n := range []int{1, 2, 63, 64, 65, 128, 4095, 4096, 4097, blockSize - 1, blockSize, blockSize + 1,
		3*blockSize + 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			for _, s := range spellings {
				src, root := bigTree(n, s.key)
				tree, err := Read(src, root, nil)
				if err != nil {
					t.Fatal(err)
				}
				for d := range tree.Defects() {
					t.Errorf("n=%d: %s", n, line(d))
				}
				if tree.Len() != n {
					t.Fatalf("n=%d: %d entries", n, tree.Len())
				}
				for i, e := range tree.Entries() {
					want, _, _ := object.Parse([]byte(s.key(i)), 0)
					if key, _ := want.AppendString(nil); string(key) != string(e.Key) {
						t.Fatalf("n=%d: key %d is %v", n, i, e.Key)
					}
					if j, ok := tree.Find(e.Key); j != i || !ok {
						t.Fatalf("n=%d: Find(%v) = %d, %v, want %d", n, e.Key, j, ok, i)
					}
					if r, _ := e.Value.Ref(); r.Num != uint32(5_000_000+i) {
						t.Fatalf("n=%d: value %d is %v", n, i, e.Value)
					}
				}
			}
		})
	}
}

func TestReadTakesLongKeys(t *testing.T) {
	long := strings.Repeat("k", 3*lastPiece)
	tree := mustRead(t, `root: << /Names [ (a) 1 (`+long+`) 2 (z) 3 () 4 ] >>`)
	for i, want := range []Key{"a", Key(long), "z", ""} {
		t.Run(string(want), func(t *testing.T) {
			if got := tree.Entry(i).Key; got != want {
				t.Errorf("key %d has %d bytes, want %d", i, len(got), len(want))
			}
		})
	}
}

func TestKeyStringIsSafeToPrint(t *testing.T) {
	tests := []struct {
		in   Key
		want string
	}{
		{"", "()"},
		{"http://a/ b~", "(http://a/ b~)"},
		{`a(b)\c`, `(a\(b\)\\c)`},
		{"a\x1b[31m", `(a\033[31m)`},
		{"Nov\xfd text.txt\n", `(Nov\375 text.txt\012)`},
		{"\x00\xff", "<00ff>"},
		{"a\x7f", "<617f>"},
		{"abc\x00", `(abc\000)`}, // three quarters
		{"abc\x00\x00", "<6162630000>"},
		{"é", "<c3a9>"},
	}
	for _, test := range tests {
		t.Run(string(test.in), func(t *testing.T) {
			if got := test.in.String(); got != test.want {
				t.Errorf("Key(%q).String() = %s, want %s", string(test.in), got, test.want)
			}
		})
	}
}
