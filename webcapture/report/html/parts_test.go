package html

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/nametree/object"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/outline"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/report"
)

// recordWith returns the record of a file with a finding for each level.
func recordWith(levels ...rule.Level) *report.Record {
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}}
	for _, l := range levels {
		rep.Findings.Add(rule.Finding{Rule: &rule.Rule{ID: "WC9" + l.String(), Level: l}})
	}
	return &report.Record{Path: "a.pdf", Report: rep}
}

// partial returns a record whose file was checked in part.
func partial(levels ...rule.Level) *report.Record {
	r := recordWith(levels...)
	r.Report.Unread = []rule.Unread{{Err: errors.New("it is torn")}}
	return r
}

// The verdict counts audited files only, and says what webcap could not check.
func TestVerdict(t *testing.T) {
	for _, test := range []struct {
		want    string
		records []*report.Record
	}{
		{"No errors and no warnings in 1 audited file.", []*report.Record{recordWith(), {Path: "folder",
			Err: report.ErrNoFiles},
			{Path: "empty.zip", Err: report.ErrNoMembers}}},
		{"Files that were checked in part have errors. webcap could check 1 file only in part.",
			[]*report.Record{partial(rule.Error)}},
		{"Errors in 1 of 2 audited files. webcap could check 1 file only in part.", []*report.Record{partial(),
			recordWith(rule.Error)}},
		{"No errors; warnings in 1 of 2 audited files. webcap could not audit 1 file.",
			[]*report.Record{recordWith(rule.Warning),
				recordWith(rule.Note), {Path: "gone.pdf", Err: errors.New("gone")}}},
		{"No file was audited.", []*report.Record{{Path: "folder", Err: report.ErrNoFiles}}},
	} {
		var tally report.Tally
		for _, r := range test.records {
			tally.Add(r)
		}
		if got := verdict(&tally); got != test.want {
			t.Errorf("the verdict is %q, want %q", got, test.want)
		}
	}
}

// Each outcome has a cause with advice. Only files with repairable findings get a command.
func TestCauses(t *testing.T) {
	repairable := &report.Record{Path: "a.pdf", Report: &audit.Report{Facts: webcapture.Facts{Present: true},
		Findings: rule.FindingsOf(
			rule.Finding{Rule: ruleThat(t, false, rule.Error), Fix: &rule.Fix{Action: rule.RewriteTree}})}}
	for _, test := range []struct {
		rec    *report.Record
		cause  string
		repair bool
	}{
		{&report.Record{Err: &report.TimeoutError{Reason: "60 s"}}, "Not audited: over the time limit", false},
		{&report.Record{Err: errors.New("encrypted, and no password fits")}, "Not audited: encrypted", false},
		{&report.Record{Err: errors.New("byte 17 of 20")}, "Not audited: byte N of N", false},
		{partial(), "Checked in part, because the file is damaged", false},
		{partial(rule.Error), "Checked in part, because the file is damaged", false},
		{recordWith(), "", false},
		{recordWith(rule.Note), "", false},
		{&report.Record{Err: report.ErrNoFiles}, "", false},
		{recordWith(rule.Warning), "Findings that webcap does not repair", false},
		{repairable, "Findings that webcap can repair", true},
	} {
		var groups report.Groups
		if test.rec.Report != nil {
			groups = report.GroupsOf(test.rec.Report, report.SomeShown)
		}
		cause, advice, repair := causeOf(test.rec, groups)
		if cause != test.cause || repair != test.repair || (advice == "") != (cause == "") {
			t.Errorf("the cause is %q, %q, %v; want %q, %v", cause, advice, repair, test.cause, test.repair)
		}
	}
}

// Causes come by the number of their files. The totals have tiles for identifiers only with sources, and the folder is
// absolute if its parents are known.
func TestPageTotals(t *testing.T) {
	w := newWriter(io.Discard, report.Options{Base: "/base", Folder: "in", Head: report.Head{Directory: "/home/user"}})
	for _, r := range []*report.Record{{Path: "a.pdf", Err: errors.New("gone")}, partial(), partial(),
		recordWith(rule.Warning),
		recordWith(rule.Warning), recordWith(rule.Warning)} {
		if err := w.Add(r); err != nil {
			t.Fatal(err)
		}
	}
	page := w.page(report.Complete)
	var got []int
	for _, next := range page.Next {
		got = append(got, next.Files)
	}
	if !slices.Equal(got, []int{3, 2, 1}) {
		t.Errorf("causes of %v files, want 3, 2, and 1", got)
	}
	if len(page.Tiles) != 3 || page.Proofs != "" {
		t.Errorf("tiles %v and proofs %q, want a tile for each level", page.Tiles, page.Proofs)
	}
	if page.Folder != "/home/user/in" {
		t.Errorf("the folder is %s, want /home/user/in", page.Folder)
	}
	w.opt.Folder, w.opt.Directory = "/audited", "work"
	if w.folder() != "/audited" {
		t.Errorf("the folder is %s, want /audited", w.folder())
	}
}

// When the sections are too long, further files have none, and the page says how many.
func TestSectionsAreLimited(t *testing.T) {
	w := newWriter(io.Discard, report.Options{})
	if _, err := w.sections.Write(make([]byte, maxMarkup-1)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if err := w.Add(recordWith(rule.Error)); err != nil {
			t.Fatal(err)
		}
	}
	if page := w.page(report.Complete); page.Undrawn != 2 || len(page.Files) != 3 {
		t.Errorf("%d of %d files have no section, want 2 of 3", page.Undrawn, len(page.Files))
	}
	if err := w.Close(report.Complete); err != nil {
		t.Fatal(err)
	}
}

// A link leads to the first of the most severe findings of an object, and counts all of them.
func TestLinks(t *testing.T) {
	entry := rule.Place{Tree: "URLS", Node: &rule.NodePlace{Ref: object.Ref{Num: 3}, Index: 1}}
	direct := rule.Place{Tree: "IDS", Node: &rule.NodePlace{Ref: object.Ref{Num: 4}, Index: 0}}
	set := rule.Place{Set: object.Ref{Num: 5}}
	both := entry
	both.Set = set.Set
	list := rule.Findings{}
	for _, f := range []struct {
		at    rule.Place
		level rule.Level
	}{{both, rule.Note}, {set, rule.Warning}, {entry, rule.Error}, {set, rule.Error}, {direct, rule.Note},
		{rule.Place{Part: "file"}, rule.Error}} {
		list.Add(rule.Finding{Rule: &rule.Rule{ID: "WC9" + f.level.String(), Level: f.level}, Place: f.at})
	}
	links := linksTo(list, []string{"0", "1", "2", "3", "4", "5"}, map[string][]string{
		entry.String(): {set.String(), "another"}, direct.String(): {direct.String(), "last"}})
	want := map[string]findingLink{
		entry.String(): {"2", rule.Error, 2}, set.String(): {"2", rule.Error, 4}, "another": {"2", rule.Error, 1},
		direct.String(): {"4", rule.Note, 1}, "last": {"4", rule.Note, 1},
	}
	for at, link := range want {
		if links.at[at] != link {
			t.Errorf("the link of %s is %v, want %v", at, links.at[at], link)
		}
	}
	if len(links.at) != len(want) {
		t.Errorf("links %v, want %v", links.at, want)
	}
}

// A content set that several identities are about is one set. Without an outline, its URL is that of the identity.
func TestSetsOfIdentities(t *testing.T) {
	identity := func(num uint32, p rule.Proof, url string) rule.Identity {
		return rule.Identity{Place: rule.Place{Set: object.Ref{Num: num}}, Proof: p, URL: url}
	}
	rep := &audit.Report{Facts: webcapture.Facts{Present: true}, Identities: []rule.Identity{identity(5, rule.Mismatch,
		"http://a/b"),
		identity(6, rule.Verified, ""), identity(5, rule.Mismatch, "http://a/b")}}
	section := newFileSection(&report.Record{Report: rep}, fileRow{}, nil, 0)
	var got []string
	for _, s := range setsOf(section) {
		got = append(got, fmt.Sprint(s.Where(), " ", s.URLs, " ", s.Proof))
	}
	if want := []string{"6 0 R [] verified", "5 0 R [http://a/b] mismatch"}; !slices.Equal(got, want) {
		t.Errorf("sets %q, want %q", got, want)
	}
	if len(section.Facts) != 3 {
		t.Errorf("facts %q, want the identifiers as the third", section.Facts)
	}
	if facts := newFileSection(recordWith(), fileRow{}, nil, 0).Facts; len(facts) != 2 {
		t.Errorf("without sources, facts are %q, want the version and the size", facts)
	}
	// The outline already counts the sets that it omits.
	rep = &audit.Report{Outline: &outline.Outline{SetsLeft: 10}}
	for num := range uint32(maxSets + 4) {
		rep.Identities = append(rep.Identities, identity(num+1, rule.Verified, ""))
	}
	if section := newFileSection(&report.Record{Report: rep}, fileRow{}, nil, 0); section.SetsLeft != 0 {
		t.Errorf("%d sets left, want none of 10, because %d are shown", section.SetsLeft, maxSets)
	}
	rep.Outline.SetsLeft = maxSets + 4
	if section := newFileSection(&report.Record{Report: rep}, fileRow{}, nil, 0); section.SetsLeft != 4 {
		t.Errorf("%d sets left, want 4", section.SetsLeft)
	}
}

// Folders are sorted by name. The first one is open, and others as long as there are few sets.
func TestFoldersOfMap(t *testing.T) {
	var sets []siteSet
	for _, f := range []struct {
		folder string
		n      int
	}{{"/c/", 18}, {"/b/", 20}, {"/a/", 10}, {"/d/", 1}} {
		for range f.n {
			sets = append(sets, siteSet{host: "http://a", folder: f.folder})
		}
	}
	describe := func(sets []siteSet) (list []string) {
		for _, f := range mapOf(sets)[0].Folders {
			list = append(list, fmt.Sprint(f.Name, " ", len(f.Sets), " ", f.Open))
		}
		return list
	}
	if got, want := describe(sets), []string{"/a/ 10 true", "/b/ 20 true", "/c/ 18 true",
		"/d/ 1 false"}; !slices.Equal(got, want) {
		t.Errorf("folders %q, want %q", got, want)
	}
	for range 60 {
		sets = append(sets, siteSet{host: "http://a", folder: "/"})
	}
	want := []string{"/ 60 true", "/a/ 10 false", "/b/ 20 false", "/c/ 18 false", "/d/ 1 false"}
	if got := describe(sets); !slices.Equal(got, want) {
		t.Errorf("folders %q, want %q", got, want)
	}
}

func TestSplitURL(t *testing.T) {
	for _, test := range []struct{ url, host, folder, file string }{
		{"http://a/b/c.html", "http://a", "/b/", "c.html"},
		{"http://a/b/?q=/d/#e/", "http://a", "/b/", "?q=/d/#e/"},
		{"http://a/b#/c", "http://a", "/", "b#/c"},
		{"http://a?b/c", "http://a", "", "?b/c"},
		{"http://a#b/c", "http://a", "", "#b/c"},
		{"http://a", "http://a", "", ""},
		{"file:///b", "file://", "/", "b"},
		{"mailto:a/b", "Other URLs", "", "mailto:a/b"},
	} {
		host, folder, file := splitURL(test.url)
		if host != test.host || folder != test.folder || file != test.file {
			t.Errorf("splitURL(%q) = %q, %q, %q, want %q, %q, %q", test.url, host, folder, file, test.host, test.folder,
				test.file)
		}
	}
}

// A URL of printable ASCII is shown as it is, any other one as a key.
func TestURLText(t *testing.T) {
	for _, url := range []string{"http://a/b?c", "http://a/\u00e9", "http://a/\x1b", "http://a/\xff"} {
		want := nametree.Key(url).String()
		if url == "http://a/b?c" {
			want = url
		}
		if got := urlText(url); got != want {
			t.Errorf("urlText(%q) = %q, want %q", url, got, want)
		}
	}
}

func TestMembersText(t *testing.T) {
	page := func(n int) outline.Member { return outline.Member{Page: n} }
	ref := object.Ref{Num: 7}
	for _, test := range []struct {
		want    string
		left    int
		members []outline.Member
	}{
		{"", 0, nil},
		{"page 1", 0, []outline.Member{page(1)}},
		{"pages 1–3, page 5, page 4", 0, []outline.Member{page(1), page(2), page(3), page(5), page(4)}},
		{"page 1,000, 7 more", 7, []outline.Member{page(1000)}},
		{"20 × 10, page 2", 0, []outline.Member{{Ref: ref, Width: 20, Height: 10}, page(2)}},
		{"7 0 R, 7 0 R", 0, []outline.Member{{Ref: ref, Width: 20}, {Ref: ref, Height: 10}}},
		{"no reference, page 1", 0, []outline.Member{{}, page(1)}},
	} {
		if got := membersText(&outline.Set{Members: test.members, MembersLeft: test.left}); got != test.want {
			t.Errorf("members %v: %q, want %q", test.members, got, test.want)
		}
	}
}

// The common prefix of all keys in a tree ends with a slash. Keys in hexadecimal form have no prefix, and a short one
// is
// not worth the space.
func TestCommonPrefix(t *testing.T) {
	limits := func(least, greatest nametree.Key) *nametree.Limits {
		return &nametree.Limits{Least: least,
			Greatest: greatest}
	}
	const a, b, c = "http://a.b/one/1", "http://a.b/one/2", "http://a.b/two"
	for _, test := range []struct {
		name, want string
		nodes      []outline.Node
	}{
		{"entries", "(http://a.b/one/", []outline.Node{{Pairs: 2, First: a, Last: b}}},
		{"last key", "(http://a.b/", []outline.Node{{Pairs: 2, First: a, Last: c}}},
		{"first key", "(http://a.b/", []outline.Node{{Pairs: 2, First: c, Last: a}}},
		{"no entries", "(http://a.b/one/", []outline.Node{{First: c, Last: c}, {Limits: limits(a, b)}}},
		{"least", "(http://a.b/", []outline.Node{{Pairs: 1, First: a, Last: b, Limits: limits(c, a)}}},
		{"greatest", "(http://a.b/", []outline.Node{{Pairs: 1, First: a, Last: b, Limits: limits(a, c)}}},
		{"bounds", "(http://a.b/", []outline.Node{{Pairs: 1, First: a, Last: b, Bounds: limits(a, c)}}},
		{"bad pair", "(http://a.b/", []outline.Node{{Pairs: 1, First: a, Last: b, Bad: []outline.Pair{{Entry: true,
			Key: c}}}}},
		{"bad pair without a key", "(http://a.b/one/", []outline.Node{{Pairs: 1, First: a, Last: b,
			Bad: []outline.Pair{{Key: c}}}}},
		{"hexadecimal keys", "(http://a.b/one/", []outline.Node{{Pairs: 1, First: "\x00\xff", Last: a}, {Pairs: 1,
			First: "\x01\xfe", Last: b}}},
		{"short", "", []outline.Node{{Pairs: 2, First: "http://a./1", Last: "http://a./2"}}},
		{"no keys", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := commonPrefix(&outline.Tree{Nodes: test.nodes}); got != test.want {
				t.Errorf("the prefix is %q, want %q", got, test.want)
			}
		})
	}
}

// The text of a node counts its kids and pairs, and the bad pairs that are not listed. Long lines are cut to the width
// of
// the box, and their full text is kept.
func TestNodeText(t *testing.T) {
	long := nametree.Key(strings.Repeat("k", 300))
	tree := newTreeDrawing(&outline.Tree{Name: "URLS", Nodes: []outline.Node{
		{Parent: -1, Kids: 2, Pairs: 3, First: "a", Last: "b"}, {Parent: 0, Kids: 1}, {Parent: 1, Pairs: 1, First: "a",
			Last: "b", BadLeft: 2,
			Bad: []outline.Pair{{Index: 0, Entry: true, Key: long}}},
	}}, &findingLinks{})
	for i, want := range []string{"2 kids, 3 pairs", "1 kid", "leaf, 1 pair"} {
		if got := tree.Boxes[i].Counts; got != want {
			t.Errorf("node %d: %q, want %q", i, got, want)
		}
	}
	lines := tree.Boxes[2].Lines
	if len(lines) != 3 || lines[2].Text != "2 bad pairs more" || lines[0].Full != "" {
		t.Fatalf("lines %v", lines)
	}
	width := float64(len([]rune(lines[1].Text))) * treeChar
	if room := float64(tree.Boxes[2].W - 2*treePad); width > room || width < room-3*treeChar ||
		!strings.Contains(lines[1].Full, string(long)) {
		t.Errorf("the line %q takes %v of %v pixels, and its full text is %q", lines[1].Text, width, room,
			lines[1].Full)
	}
}

// If a leaf has more pairs than cells, neighbors share a cell. Its color is the highest of their levels. Pairs beyond
// the
// end of the leaf have the last cell.
func TestCells(t *testing.T) {
	var b nodeBox
	b.cells(&outline.Node{Pairs: 2 * treeCells}, []badPair{{0, rule.Error}, {1, rule.Note}, {2, rule.Note},
		{2*treeCells - 1, rule.Note},
		{9 * treeCells, rule.Warning}})
	got := map[int]string{}
	for i, c := range b.Cells {
		if c.Class != "cell" {
			got[i] = c.Class
		}
	}
	want := map[int]string{0: "cell is-error", 1: "cell is-note", treeCells - 1: "cell is-warning"}
	if fmt.Sprint(got) != fmt.Sprint(want) || len(b.Cells) != treeCells {
		t.Errorf("%d cells, colored %v; want %d, colored %v", len(b.Cells), got, treeCells, want)
	}
}
