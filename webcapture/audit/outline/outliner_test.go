package outline

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

const (
	idA = "<00112233445566778899aabbccddeeff>"
	idB = "<ffeeddccbbaa99887766554433221100>"
)

// readDatabase returns the database of a document, and an audit that has read its trees only.
func readDatabase(t *testing.T, ctx context.Context, text string) (*rule.Audit, *webcapture.Database) {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(ctx, d.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	db, err := f.Database()
	if err != nil {
		t.Fatal(err)
	}
	a := &rule.Audit{File: f, Now: time.Unix(0, 0)}
	for _, tree := range db.Trees() {
		a.Trees[tree.Name] = &rule.Tree{Tree: tree, Whole: tree.IsWhole()}
	}
	return a, db
}

// outlineOf returns the outline of a document without findings.
func outlineOf(t *testing.T, text string) *Outline {
	t.Helper()
	a, db := readDatabase(t, context.Background(), text)
	out, err := New(a, db, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestNodesHaveLimits: a node has its stored Limits next to the correct ones, and the fault that makes them differ. A
// node without keys has no correct Limits, and the root needs none.
func TestNodesHaveLimits(t *testing.T) {
	limits := func(least, greatest nametree.Key) *nametree.Limits {
		return &nametree.Limits{Least: least, Greatest: greatest}
	}
	long := strings.Repeat("x", rule.MaxShown)
	out := outlineOf(t, `names: << /URLS << /Limits [ (a) (z) ] /Kids [ 5 0 R 6 0 R 7 0 R 8 0 R 9 0 R ] >> >>
		5 0 obj << /Limits [ (a) (c) ] /Names [ (a) null (b) null (c) null ] >>
		6 0 obj << /Limits [ (d) (z) ] /Names [ (d) null (e) null ] >>
		7 0 obj << /Names [ (f) null ] >>
		8 0 obj << /Limits [ (g) ] /Names [ ] >>
		9 0 obj << /Limits [ (h) (`+long+`yz) ] /Names [ (h) null (`+long+`yz) null ] >>`)
	want := []Node{
		{Limits: limits("a", "z"), Fault: LimitsOnRoot, Bounds: limits("a", nametree.Key(long))},
		{Limits: limits("a", "c"), Bounds: limits("a", "c")},
		{Limits: limits("d", "z"), Bounds: limits("d", "e"), Fault: LimitsWrong},
		{Bounds: limits("f", "f"), Fault: LimitsMissing},
		{Fault: LimitsMalformed},
		{Limits: limits("h", nametree.Key(long)), Bounds: limits("h", nametree.Key(long))},
	}
	for i, n := range out.Trees[0].Nodes {
		if got := (Node{Limits: n.Limits, Bounds: n.Bounds, Fault: n.Fault}); !reflect.DeepEqual(got, want[i]) {
			t.Errorf("node %d: Limits %v, Bounds %v, fault %q, want %v, %v, %q", i, got.Limits, got.Bounds, got.Fault,
				want[i].Limits, want[i].Bounds, want[i].Fault)
		}
	}
	if n := len(out.Trees[0].Nodes); n != len(want) {
		t.Errorf("%d nodes, want %d", n, len(want))
	}
}

// TestNodesListPairsWithFindings: a node lists each of its pairs with findings once. It counts those beyond
// maxOutlinePairs.
func TestNodesListPairsWithFindings(t *testing.T) {
	const pairs = maxOutlinePairs + 4
	var names strings.Builder
	for i := range pairs {
		fmt.Fprintf(&names, "(%02d) null ", i)
	}
	a, db := readDatabase(t, context.Background(),
		"names: << /URLS << /Kids [ 5 0 R 6 0 R ] >> /IDS << /Names [ (i) null ] >> >>\n"+
			"5 0 obj << /Names [ "+names.String()+"] >>\n6 0 obj << /Names [ (a) null 7 null (c) null ] >>")
	urls, ids := a.Trees[webcapture.URLS], a.Trees[webcapture.IDS]
	var findings rule.Findings
	add := func(at rule.Place) { findings.Add(rule.Finding{Rule: &rule.Rule{ID: "WC1"}, Place: at}) }
	add(urls.At())
	add(urls.AtNode(0))
	add(urls.AtKid(0, 1))
	for i := range pairs {
		add(urls.AtPair(1, i))
		add(urls.AtPair(1, i)) // of another rule
	}
	add(urls.AtPair(2, 1))
	add(urls.AtPair(2, 2))
	add(ids.AtPair(0, 0))
	add(rule.Place{Set: object.Ref{Num: 5}})
	out, err := New(a, db, findings, 0)
	if err != nil {
		t.Fatal(err)
	}
	var first []Pair
	for i := range maxOutlinePairs {
		first = append(first, Pair{Index: i, Entry: true, Key: nametree.Key(fmt.Sprintf("%02d", i))})
	}
	got := []Node{}
	for _, tree := range out.Trees {
		for _, n := range tree.Nodes {
			got = append(got, Node{Pairs: n.Pairs, First: n.First, Last: n.Last, Bad: n.Bad, BadLeft: n.BadLeft})
		}
	}
	want := []Node{{}, {Pairs: pairs, First: "00", Last: "19", Bad: first, BadLeft: 4},
		{Pairs: 2, First: "a", Last: "c", Bad: []Pair{{Index: 1}, {Index: 2, Entry: true, Key: "c"}}},
		{Pairs: 1, First: "i", Last: "i", Bad: []Pair{{Index: 0, Entry: true, Key: "i"}}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("nodes %+v, want %+v", got, want)
	}
}

// TestNodesWithFindingsComeFirst: a large tree shows nodes with findings or faults, and their ancestors, even if they
// are its last ones. It is filled up with its first nodes.
func TestNodesWithFindingsComeFirst(t *testing.T) {
	const leaves = MaxOutlineNodes + 50
	var kids, objects strings.Builder
	for i := range leaves {
		fmt.Fprintf(&kids, "%d 0 R ", 100+i)
		limits := fmt.Sprintf("/Limits [ (%03d) (%03d) ]", i, i)
		if i == leaves-2 {
			limits = ""
		}
		fmt.Fprintf(&objects, "%d 0 obj << %s /Names [ (%03d) null ] >>\n", 100+i, limits, i)
	}
	a, db := readDatabase(t, context.Background(),
		"names: << /URLS << /Kids [ "+kids.String()+"] >> >>\n"+objects.String())
	at := a.Trees[webcapture.URLS].AtPair(leaves, 0) // node 0 is the root
	out, err := New(a, db, rule.FindingsOf(rule.Finding{Rule: &rule.Rule{}, Place: at}), 0)
	if err != nil {
		t.Fatal(err)
	}
	tree := out.Trees[0]
	want := []object.Ref{tree.Nodes[0].Ref} // the root has any number
	for i := range MaxOutlineNodes - 3 {
		want = append(want, object.Ref{Num: uint32(100 + i)})
	}
	want = append(want, object.Ref{Num: 100 + leaves - 2}, object.Ref{Num: 100 + leaves - 1})
	var got []object.Ref
	for i, n := range tree.Nodes {
		if got = append(got, n.Ref); n.Parent != min(i, 1)-1 {
			t.Errorf("node %d has the parent %d", i, n.Parent)
		}
	}
	if !slices.Equal(got, want) || tree.NodesLeft != leaves+1-MaxOutlineNodes || tree.Nodes[0].Kids != leaves {
		t.Errorf("nodes %v and %d more, want %v", got, tree.NodesLeft, want)
	}
}

// placesOf returns the places of content sets with their entries.
func placesOf(out *Outline) []string {
	var places []string
	for _, s := range out.Sets {
		places = append(places, fmt.Sprint(s.Place, s.Entries))
	}
	return places
}

// TestOnlyContentSetsAreShown: an outline has the values that are probably content sets, with their entries.
func TestOnlyContentSetsAreShown(t *testing.T) {
	out := outlineOf(t, `names: << /URLS << /Names [ (a) null (b) 5 0 R (c) << /S /SPS >> (d) [ 7 8 0 R 99 0 R ]
			(e) 9 0 R (f) << /S /SPS /O [ ] >> (g) 8 0 R (h) [ 8 0 R 8 0 R ] (i) [ << /S /SIS /O [ ] >> 8 0 R ] ] >> >>
		5 0 obj << /Type /Page >>
		8 0 obj << /S /SIS /ID `+idA+` >>
		9 0 obj << /Broken ] >>`)
	want := []string{"content set 8 0 R [URLS, entry 4 URLS, entry 7 URLS, entry 8 URLS, entry 9]",
		"URLS, entry 6 [URLS, entry 6]", "URLS, entry 9 [URLS, entry 9]"}
	if got := placesOf(out); !slices.Equal(got, want) {
		t.Errorf("content sets %q, want %q", got, want)
	}
	for _, s := range out.Sets {
		for _, at := range s.Entries {
			if at.Key != "" || at.ID != "" {
				t.Errorf("%v: the entry %v has a key or an ID, which would make a report large", s.Place, at)
			}
		}
	}
}

// TestEntriesOfASetAreLimited: a content set has its first entries. An entry of a limited outline counts, too.
func TestEntriesOfASetAreLimited(t *testing.T) {
	var names, objects strings.Builder
	for i := range MaxOutlineSets + 5 {
		fmt.Fprintf(&names, "(a%03d) %d 0 R ", i, 100+i)
		fmt.Fprintf(&objects, "%d 0 obj << /S /SPS /O [ ] >>\n", 100+i)
	}
	for i := range MaxOutlineURLs + 5 {
		fmt.Fprintf(&names, "(b%03d) 101 0 R ", i)
	}
	out := outlineOf(t, "names: << /URLS << /Names [ "+names.String()+" (c) 102 0 R ] >> >>\n"+objects.String())
	if len(out.Sets) != MaxOutlineSets {
		t.Fatalf("%d content sets, want %d", len(out.Sets), MaxOutlineSets)
	}
	for i, want := range []int{1, MaxOutlineURLs, 2, 1} {
		if got := len(out.Sets[i].Entries); got != want {
			t.Errorf("%v has %d entries, want %d", out.Sets[i].Place, got, want)
		}
	}
}

// TestArraysOfSetsAreLimited: the limit of content sets counts within an array, too.
func TestArraysOfSetsAreLimited(t *testing.T) {
	direct := strings.Repeat("<< /S /SPS /O [ ] >> ", MaxOutlineSets+3)
	a, db := readDatabase(t, context.Background(),
		"names: << /URLS << /Names [ (a) [ "+direct+"] (b) << /S /SPS /O [ ] >> ] >> >>")
	out, err := New(a, db, nil, MaxOutlineSets+4)
	if err != nil || len(out.Sets) != MaxOutlineSets || out.SetsLeft != 4 {
		t.Errorf("%d content sets and %d more, %v, want %d and 4 more", len(out.Sets), out.SetsLeft, err, MaxOutlineSets)
	}
}

// TestValuesAreLimited: an outline looks at maxOutlineValues values. It does not read later ones, even if they are
// content sets.
func TestValuesAreLimited(t *testing.T) {
	for n, want := range map[int]int{maxOutlineValues - 1: 1, maxOutlineValues: 0} {
		var names strings.Builder
		for i := range n {
			fmt.Fprintf(&names, "(%05d) %d 0 R ", i, 10_000+i) // objects that do not exist
		}
		out := outlineOf(t, "names: << /URLS << /Names [ "+names.String()+"(z) 5 0 R ] >> >>\n5 0 obj << /S /SPS /O [ ] >>")
		if len(out.Sets) != want {
			t.Errorf("after %d values: %d content sets, want %d", n, len(out.Sets), want)
		}
	}
}

// TestMembers: only the first member of an image set has a picture. An element that is not a reference is a member
// without a number or size, even if the page tree has a page that is not a reference.
func TestMembers(t *testing.T) {
	const raw = "/BitsPerComponent 8 /ColorSpace /DeviceGray"
	out := outlineOf(t, `catalog: << /Pages << /Kids [ << /Type /Page >> 6 0 R 7 0 R 6 0 R 10 0 R 9 0 R ] >>
			/Names << /IDS << /Names [ (a) 4 0 R (b) 5 0 R (c) 8 0 R ] >> >> >>
		4 0 obj << /S /SIS /ID `+idA+` /O [ 20 0 R 21 0 R (x) 22 0 R 99 0 R ] >>
		5 0 obj << /S /SPS /ID `+idB+` /O [ 9 0 R << /Type /Page >> 6 0 R 20 0 R ] >>
		6 0 obj << /Type /Page >>
		7 0 obj << /Type /Page >>
		8 0 obj << /S /SIS /ID `+idB+` /O [ (x) 20 0 R ] >>
		9 0 obj << /Type /Page >>
		10 0 obj << /Broken ] >>
		20 0 obj << /Width 1 /Height 2 `+raw+` >> stream
ab
endstream
		21 0 obj << /Width 2 /Height 1 `+raw+` >> stream
cd
endstream
		22 0 obj << /Width (x) >>`)
	want := [][]string{{"20 0 R page 0 1x2 picture", "21 0 R page 0 2x1", "0 0 R page 0 0x0", "22 0 R page 0 0x0",
		"99 0 R page 0 0x0"}, {"9 0 R page 6 0x0", "0 0 R page 0 0x0", "6 0 R page 2 0x0", "20 0 R page 0 0x0"},
		{"0 0 R page 0 0x0", "20 0 R page 0 1x2"}}
	for i, s := range out.Sets {
		var got []string
		for _, m := range s.Members {
			text := fmt.Sprintf("%v page %d %dx%d", m.Ref, m.Page, m.Width, m.Height)
			if m.Picture != nil {
				text += " picture"
			}
			got = append(got, text)
		}
		if !slices.Equal(got, want[i]) {
			t.Errorf("%v has the members %q, want %q", s.Place, got, want[i])
		}
	}
	if len(out.Sets) != len(want) {
		t.Errorf("%d content sets, want %d", len(out.Sets), len(want))
	}
}

// TestTextsOfSets: texts are valid UTF-8 and limited. A value that is not a string counts as missing.
func TestTextsOfSets(t *testing.T) {
	long := strings.Repeat("t", rule.MaxShown)
	set := func(entries string) Set {
		s := outlineOf(t, "names: << /IDS << /Names [ (a) 5 0 R ] >> >>\n6 0 obj (text/plain)\n7 0 obj << /Broken ] >>\n"+
			"5 0 obj << /S /SPS /O [ ] "+entries+" >>").Sets[0]
		return Set{Title: s.Title, ContentType: s.ContentType, Date: s.Date, ID: s.ID, URLs: s.URLs, URLsLeft: s.URLsLeft}
	}
	for entries, want := range map[string]Set{
		"":                             {},
		"/CT (text/html)":              {ContentType: "text/html"},
		"/CT (text\\377)":              {ContentType: "text\uFFFD"},
		"/CT 6 0 R":                    {ContentType: "text/plain"},
		"/CT 7 0 R":                    {},
		"/CT /text":                    {},
		"/CT (" + long + "x)":          {ContentType: long},
		"/T (M\\374nchen)":             {Title: "München"},
		"/T (" + long + "x)":           {Title: long},
		"/T 8":                         {},
		"/TS (D:20240229235959-01'30)": {Date: "2024-03-01 01:29:59 UTC"},
		"/TS (\\377 yesterday)":        {Date: "\uFFFD yesterday"},
		"/TS (D:20240230)":             {Date: "D:20240230"},
		"/ID (" + long + "x)":          {ID: nametree.Key(long)},
		"/ID 8":                        {},
		"/SI [ << /AU (a) >> << /AU (b) >> << /AU (a) >> ]":           {URLs: []string{"a", "b"}},
		"/SI << /AU (" + long + "x) >>":                               {URLs: []string{long}},
		"/SI [ << /AU (" + long + "x) >> << /AU (" + long + "y) >> ]": {URLs: []string{long}}, // cut, they are the same
	} {
		if got := set(entries); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", entries, got, want)
		}
	}
}

// TestOutlinesFailWithTheDisk: if any read of a content set, a member, or a page fails, New returns the error.
func TestOutlinesFailWithTheDisk(t *testing.T) {
	c := webcapturetest.NewFailingReads()
	a, db := readDatabase(t, c, `names: << /URLS << /Names [ (a) 5 0 R (b) [ 6 0 R ] (c) 7 0 R ] >>
			/IDS << /Names [ (a) 8 0 R ] >> >>
		5 0 obj << /S /SPS /ID `+idA+` /O [ 20 0 R ] >>
		6 0 obj << /S /SIS /ID 30 0 R /O [ 21 0 R ] /SI 31 0 R >>
		7 0 obj [ 6 0 R ]
		8 0 obj << /S /SPS /ID `+idA+` /O [ 20 0 R ] >>
		20 0 obj << /Type /Page >>
		21 0 obj << /Width 1 /F (a.raw) >>
		30 0 obj `+idB+`
		31 0 obj << /AU 32 0 R >>
		32 0 obj (http://a.example/)`)
	c.FailAt(0, false)
	if out, err := New(a, db, nil, 3); err != nil || len(out.Sets) != 3 || out.Sets[0].Members[0].Page != 1 {
		t.Fatalf("without a failure: %+v, %v", out, err)
	}
	reads := c.Reads()
	for at := range reads {
		c.FailAt(at+1, false)
		if _, err := New(a, db, nil, 3); !errors.Is(err, webcapturetest.ErrRead) {
			t.Errorf("read %d of %d fails: %v", at+1, reads, err)
		}
	}
	if reads < 10 {
		t.Errorf("%d reads, want one for each object at least", reads)
	}
}

// TestLimitsFaultsHaveNames: each fault is found by its name, and no two have the same.
func TestLimitsFaultsHaveNames(t *testing.T) {
	names := []string{"", "missing", "malformed", "wrong", "on the root"}
	for i, fault := range []LimitsFault{LimitsRight, LimitsMissing, LimitsMalformed, LimitsWrong, LimitsOnRoot} {
		if got, ok := ParseLimitsFault(names[i]); !ok || got != fault || fault.String() != names[i] {
			t.Errorf("%q is found as %q, %v", names[i], got, ok)
		}
	}
	for _, name := range []string{"right", "Missing", " "} {
		if got, ok := ParseLimitsFault(name); ok || got != LimitsRight {
			t.Errorf("%q is found as %q, %v", name, got, ok)
		}
	}
}
