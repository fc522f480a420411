package audit

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

func outlineOf(t testing.TB, text string) *outline.Outline {
	t.Helper()
	d, err := webcapturetest.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return auditBytes(t, d.Bytes(plainLayout), Options{Outline: true}).Outline
}

const outlined = `
	names: << /URLS 3 0 R /IDS << /Names [ <00112233445566778899aabbccddeeff> 5 0 R ] >> >>
	spiderinfo: << /V 1.25 >>
	3 0 obj << /Kids [ 10 0 R 11 0 R ] >>
	10 0 obj << /Limits [ (http://a.example/) (http://z.example/) ] /Names [ (http://a.example/) 5 0 R 7 5 0 R (HTTP://b.example/) 7 0 R ] >>
	11 0 obj << /Names [ (http://c.example/) [ 5 0 R 7 0 R 5 0 R ] ] >>
	5 0 obj << /S /SPS /ID <00112233445566778899aabbccddeeff> /O [ 6 0 R 99 0 R (x) ] /CT (text/html) /TS (D:20240102030405+01'00) /T <feff0048 00e4>
		/SI [ << /AU (http://a.example/) >> << /AU << /U (http://a.example/) /C [ [ (http://old.example/) ] ] >> >> ] >>
	6 0 obj << /Type /Page /ID <00112233445566778899aabbccddeeff> >>
	7 0 obj << /S /SIS /ID <ffeeddccbbaa99887766554433221100> /O [ 8 0 R ] /R 0 /TS (yesterday) /SI << /AU (HTTP://b.example/) >> >>
	8 0 obj << /Type /XObject /Subtype /Image /Width 120 /Height 80 >>`

func TestOutlineShowsTrees(t *testing.T) {
	out := outlineOf(t, outlined)
	if len(out.Trees) != 2 || out.Trees[0].Name != "URLS" || out.Trees[1].Name != "IDS" {
		t.Fatalf("trees %+v", out.Trees)
	}
	var lines []string
	for _, n := range out.Trees[0].Nodes {
		limits := "none"
		if n.Limits != nil {
			limits = fmt.Sprintf("[%v %v]", n.Limits.Least, n.Limits.Greatest)
		}
		line := fmt.Sprintf("%v below %d, depth %d: %d kids, %d pairs, keys %v to %v, Limits %s %q, bad", n.Ref,
			n.Parent, n.Depth, n.Kids, n.Pairs, n.First, n.Last, limits, n.Fault)
		for _, p := range n.Bad {
			line += fmt.Sprintf(" %d %v %v", p.Index, p.Entry, p.Key)
		}
		lines = append(lines, line)
	}
	got := strings.Join(lines, "\n")
	want := `3 0 R below -1, depth 0: 2 kids, 0 pairs, keys () to (), Limits none "", bad
10 0 R below 0, depth 1: 0 kids, 2 pairs, keys (http://a.example/) to (HTTP://b.example/), Limits [(http://a.example/) (http://z.example/)] "wrong", bad 1 false () 2 true (HTTP://b.example/)
11 0 R below 0, depth 1: 0 kids, 1 pairs, keys (http://c.example/) to (http://c.example/), Limits none "missing", bad 0 true (http://c.example/)`
	if got != want {
		t.Errorf("nodes\n%s\nwant\n%s", got, want)
	}
}

func TestOutlineShowsContentSets(t *testing.T) {
	out := outlineOf(t, outlined)
	want := []outline.Set{{
		Place: rule.Place{Set: object.Ref{Num: 5}}, Subtype: webcapture.PageSet, ID: "\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff",
		URLs: []string{"http://a.example/", "http://old.example/"}, Title: "Hä", ContentType: "text/html", Date: "2024-01-02 02:04:05 UTC",
		Members: []outline.Member{{Ref: object.Ref{Num: 6}, Page: 1}, {Ref: object.Ref{Num: 99}}, {}},
	}, {
		Place: rule.Place{Set: object.Ref{Num: 7}}, Subtype: webcapture.ImageSet, ID: "\xff\xee\xdd\xcc\xbb\xaa\x99\x88\x77\x66\x55\x44\x33\x22\x11\x00",
		URLs: []string{"HTTP://b.example/"}, Date: "yesterday", Members: []outline.Member{{Ref: object.Ref{Num: 8}, Width: 120, Height: 80}},
	}}
	wantEntries := []string{
		"[URLS, entry 1 of node 10 0 R URLS, entry 1 of node 11 0 R IDS, entry 1]",
		"[URLS, entry 3 of node 10 0 R URLS, entry 1 of node 11 0 R]",
	}
	for i := range out.Sets {
		if got := fmt.Sprint(out.Sets[i].Entries); got != wantEntries[i] {
			t.Errorf("the entries of %v are %s, want %s", out.Sets[i].Place, got, wantEntries[i])
		}
		out.Sets[i].Entries = nil
	}
	if !reflect.DeepEqual(out.Sets, want) || out.SetsLeft != 0 {
		t.Errorf("content sets %+v and %d more, want %+v", out.Sets, out.SetsLeft, want)
	}
}

// The outline of a large tree has the nodes with defects, and their ancestors.
func TestOutlineIsBounded(t *testing.T) {
	d := webcapturetest.Sets(4000, webcapturetest.Options{Leaf: 4})
	broken := 0
	for i, last := 1, d.Reserve(); i < last; i++ {
		if body := d.Body(i); strings.Contains(body, "/Limits") && strings.Contains(body, "/00003999/") {
			d.Set(i, strings.Replace(body, "/Limits", "/Limitless", 1))
			broken++
		}
	}
	if broken == 0 {
		t.Fatal("no node was broken")
	}
	rep := auditBytes(t, d.Bytes(plainLayout), Options{Outline: true})
	faulty := 0
	for _, tree := range rep.Outline.Trees {
		if len(tree.Nodes) != outline.MaxOutlineNodes || tree.NodesLeft == 0 {
			t.Errorf("%s: %d nodes, and %d more", tree.Name, len(tree.Nodes), tree.NodesLeft)
		}
		for i, n := range tree.Nodes {
			if n.Parent >= i || n.Parent < 0 != (i == 0) || i > 0 && n.Depth != tree.Nodes[n.Parent].Depth+1 {
				t.Errorf("%s: node %d has the parent %d", tree.Name, i, n.Parent)
			}
			if n.Fault == outline.LimitsMissing {
				faulty++
			}
		}
	}
	if faulty != broken {
		t.Errorf("%d nodes without Limits are there, want %d", faulty, broken)
	}
	if n := len(rep.Outline.Sets); n != outline.MaxOutlineSets || rep.Outline.SetsLeft != rep.PageSets-n {
		t.Errorf("%d content sets, and %d more", n, rep.Outline.SetsLeft)
	}
	if len(rep.Outline.Sets[0].Members) == 0 || rep.Outline.Sets[0].Members[0].Page == 0 {
		t.Errorf("the first set has the members %+v", rep.Outline.Sets[0].Members)
	}
}

// Direct content sets are shown like others, and none is shown twice.
func TestOutlineShowsEachSetOnce(t *testing.T) {
	direct := "<< /S /SPS /ID " + idA + " /O [ ] >>"
	out := outlineOf(t, "names: << /URLS << /Names [ (a) "+direct+" (b) [ "+direct+" 5 0 R "+direct+" 5 0 R ] (c) 5 0 R (d) 7 0 R (e) 7 0 R (f) 5 0 R ] >> >>\n"+
		"5 0 obj "+direct+"\n7 0 obj [ 5 0 R 8 0 R ]\n8 0 obj "+direct+"\n")
	var places []string
	for _, s := range out.Sets {
		places = append(places, s.Place.String())
	}
	if want := []string{"URLS, entry 1", "URLS, entry 2", "content set 5 0 R", "URLS, entry 2",
		"content set 8 0 R"}; !slices.Equal(places, want) {
		t.Errorf("%q, want %q", places, want)
	}
}

// A page that cannot be read, or is not in the page tree, has no number.
func TestOutlineNumbersPages(t *testing.T) {
	out := outlineOf(t, "catalog: << /Type /Catalog /Pages 10 0 R /Names << /IDS << /Names [ "+idA+" 5 0 R ] >> >> >>\n10 0 obj << /Type /Pages /Kids [ 9 0 R 7 0 R 6 0 R ] /Count 3 >>\n"+
		"5 0 obj << /S /SPS /ID "+idA+" /O [ 7 0 R 6 0 R 8 0 R ] >>\n6 0 obj << /Broken ] >>\n7 0 obj << /Type /Page >>\n8 0 obj << /Type /Page >>\n9 0 obj << /Type /Page >>\n")
	var pages []int
	for _, m := range out.Sets[0].Members {
		pages = append(pages, m.Page)
	}
	if !slices.Equal(pages, []int{2, 0, 0}) {
		t.Errorf("pages %d, want 2, 0 and 0", pages)
	}
}

// A node is included with all its ancestors, or not at all.
func TestOutlineTakesWholeWays(t *testing.T) {
	d := new(webcapturetest.Document)
	limits := "/Limits [ (http://a.example/) (http://a.example/) ] "
	kids := repeatText(outline.MaxOutlineNodes, func(int) string {
		leaf := refTo(d.Add("<< /Names [ (http://a.example/) null ] >>")) // without Limits
		return refTo(d.Add("<< " + limits + "/Kids [ " + leaf + " ] >>"))
	})
	d.Root = d.Add("<< /Type /Catalog /Names << /URLS << /Kids [ " + kids + "] >> >> >>")
	tree := auditBytes(t, d.Bytes(plainLayout), Options{Outline: true}).Outline.Trees[0]
	depths := [3]int{}
	for _, n := range tree.Nodes {
		depths[n.Depth]++
	}
	if want := [3]int{1, outline.MaxOutlineNodes / 2, outline.MaxOutlineNodes/2 - 1}; depths != want ||
		tree.NodesLeft != outline.MaxOutlineNodes+1 {
		t.Errorf("by depth %v nodes are taken, and %d are left, want %v", depths, tree.NodesLeft, want)
	}
}

// An outline counts omitted content sets of any kind.
func TestOutlineCountsWhatItLeavesOut(t *testing.T) {
	for _, kind := range []string{"SPS", "SIS", "Other"} {
		t.Run(kind, func(t *testing.T) {
			for n, left := range map[int]int{2: 0, outline.MaxOutlineSets: 0, outline.MaxOutlineSets + 3: 3} {
				d := newDatabase()
				for i := range n {
					d.id(id16(i), refTo(d.Add("<< /S /"+kind+" /ID "+id16(i)+" /O [ ] >>")))
				}
				out := auditBytes(t, d.done().Bytes(plainLayout), Options{Outline: true}).Outline
				if len(out.Sets) != n-left || out.SetsLeft != left {
					t.Errorf("%d sets with S %s: %d, and %d more, want %d more", n, kind, len(out.Sets), out.SetsLeft, left)
				}
			}
		})
	}
}

func TestOutlineCutsListsAndKeys(t *testing.T) {
	d := newDatabase()
	long := strings.Repeat("k", 2000)
	set := d.set(id16(1), "[ "+repeatText(100, func(int) string { return "1 0 R" })+"]", "[ "+repeatText(100, au)+"]")
	d.url("(http://a.example/"+long+")", set)
	d.id(id16(1), set)
	out := auditBytes(t, d.done().Bytes(plainLayout), Options{Outline: true}).Outline
	s := out.Sets[0]
	if len(s.Members) != outline.MaxOutlineMembers || s.MembersLeft != 100-outline.MaxOutlineMembers ||
		len(s.URLs) != outline.MaxOutlineURLs || s.URLsLeft != 100-outline.MaxOutlineURLs {
		t.Errorf("%d members and %d more, %d URLs and %d more", len(s.Members), s.MembersLeft, len(s.URLs), s.URLsLeft)
	}
	if n := len(out.Trees[0].Nodes[0].First); n != rule.MaxShown {
		t.Errorf("a key has %d bytes, want %d", n, rule.MaxShown)
	}
}

// An outline changes nothing else in a report, and every auditable file has one.
func TestOutlineOfEveryCase(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(caseDir, "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	for _, path := range paths {
		c, err := readCase(path)
		if err != nil {
			t.Fatal(err)
		}
		if c.skip != "" {
			continue
		}
		data := c.pdf(t, plainLayout)
		with, without := auditBytes(t, data, Options{Outline: true}), auditBytes(t, data, Options{})
		if with.Outline == nil || without.Outline != nil {
			t.Fatalf("%s: outlines %v and %v", c.name, with.Outline, without.Outline)
		}
		with.Outline = nil
		if !reflect.DeepEqual(with, without) {
			t.Errorf("%s: the report differs with an outline", c.name)
		}
	}
}

func TestOutlineOfDamagedFiles(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 7))
		d := webcapturetest.Sets(8, webcapturetest.Options{Leaf: 2, Images: 2, Aliases: 3})
		damage(d, r, 1+r.IntN(8))
		rep, err := Bytes("damaged.pdf", bytes.Clone(d.Bytes(plainLayout)), Options{Outline: true, now: auditTime})
		if err == nil && rep.Outline == nil {
			t.Errorf("seed %d: no outline", seed)
		}
	}
}

func TestTitleText(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"ASCII", "Home", "Home"},
		{"PDFDocEncoding", "\x8dx\x8e \xe4", "“x” ä"},
		{"undefined", "a\x9fb", "a\uFFFDb"},
		{"UTF-16", "\xfe\xff\x20\xac", "€"},
		{"lone surrogate", "\xfe\xff\xd8\x00", "\uFFFD"},
		{"UTF-8", "\xef\xbb\xbf€", "€"},
		{"empty", "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := rule.TitleText([]byte(tt.in)); got != tt.want {
				t.Errorf("titleText(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
