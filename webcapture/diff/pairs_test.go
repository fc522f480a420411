package diff_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree/object"
)

// pairCase is a pair of files and the text of their comparison. The edits a turn base into A, and b turn A into B.
type pairCase struct {
	name string
	a, b []string
	want string
}

// offset is the place in the file in the text of an error.
var offset = regexp.MustCompile(`offset \d+: `)

// testPairs compares each pair in both directions.
func testPairs(t *testing.T, cases []pairCase) {
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			a := edit(t, base, tt.a...)
			before, after := pdf(t, a), pdf(t, edit(t, a, tt.b...))
			res := compare(t, before, after)
			if got := offset.ReplaceAllString(text(res), ""); got != tt.want {
				t.Errorf("got\n%swant\n%s", got, tt.want)
			}
			back := compare(t, after, before)
			if got, want := lines(back, false), lines(res, true); !slices.Equal(got, want) {
				t.Errorf("the other way round\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
		})
	}
}

// TestUnreadEntries: an unreadable object in place of an entry is an unread part of its file, with its place. Where a
// part is missing for that reason, it is a change of the pair, but the file still has no changes from itself.
func TestUnreadEntries(t *testing.T) {
	const dests = "/Dests << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> [ 6 0 R /Fit ] ] >>"
	a := edit(t, base, more("90 0 obj << ]")...)
	for _, tt := range []struct {
		name, old, new string
		place          string
		changes        int
	}{
		{"Width of an image", "/Width 8", "/Width 90 0 R", "object 9 0 R", 0},
		{"Subtype of an image", "/Subtype /Image", "/Subtype 90 0 R", "object 9 0 R", 0},
		{"ID of an image", "/DCTDecode /ID " + idB, "/DCTDecode /ID 90 0 R", "object 9 0 R", 0},
		{"Filter of an image", "/Filter /DCTDecode", "/Filter 90 0 R", "object 9 0 R", 0},
		{"element of Filter", "/Filter /DCTDecode", "/Filter [ 90 0 R ]", "object 9 0 R", 0},
		{"Contents of a page", "/Contents 18 0 R", "/Contents 90 0 R", "page 1, 6 0 R", 0},
		{"element of Contents", "/Contents [ 19 0 R ]", "/Contents [ 90 0 R ]", "page 2, 7 0 R", 0},
		{"ID of a page", "6 0 obj << /Type /Page /ID " + idA, "6 0 obj << /Type /Page /ID 90 0 R",
			"page 1, 6 0 R", 1},
		{"PZ of a page", "/Contents 18 0 R", "/Contents 18 0 R /PZ 90 0 R", "page 1, 6 0 R", 1},
		{"Annots of a page", "/Contents [ 19 0 R ]", "/Contents [ 19 0 R ] /Annots 90 0 R", "page 2, 7 0 R", 0},
		{"a link", "/Contents [ 19 0 R ]", "/Contents [ 19 0 R ] /Annots [ 90 0 R ]", "page 2, 7 0 R", 0},
		{"PA of a link", "/PA << /S /URI /URI (http://b.example/#x) >>", "/PA 90 0 R", "page 1, 6 0 R", 1},
		{"URI of a link", "/URI (http://b.example/#x)", "/URI 90 0 R", "page 1, 6 0 R", 1},
		{"Dest of a link", "/Subtype /Link", "/Subtype /Link /Dest 90 0 R", "page 1, 6 0 R", 0},
		{"action of a link", "/A << /S /GoTo /D <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70> >>", "/A 90 0 R",
			"page 1, 6 0 R", 0},
		{"action type", "/S /GoTo", "/S 90 0 R", "page 1, 6 0 R", 0},
		{"destination of an action", "/D <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf746f70>", "/D 90 0 R", "page 1, 6 0 R", 0},
		{"tree of destinations", dests, "/Dests 90 0 R", "Dests", 1},
		{"pairs of destinations", dests, "/Dests << /Names 90 0 R >>", "Dests", 1},
		{"SpiderInfo", "spiderinfo: << /V 1.25 /C [ 15 0 R 16 0 R ] >>", "spiderinfo: 90 0 R", "SpiderInfo", 0},
		{"commands of SpiderInfo", "/C [ 15 0 R 16 0 R ]", "/C 90 0 R", "SpiderInfo", 0},
		{"URL of a command", "16 0 obj << /URL (http://c.example/)", "16 0 obj << /URL 90 0 R", "SpiderInfo", 0},
		{"flags of a command", "16 0 obj << /URL (http://c.example/)", "16 0 obj << /URL (http://c.example/) /F 90 0 R",
			"SpiderInfo", 0},
		{"R of a content set", "/R [ 1 ]", "/R 90 0 R", "content set 8 0 R", 1},
		{"element of R", "/R [ 1 ]", "/R [ 90 0 R ]", "content set 8 0 R", 1},
		{"title of a content set", "/T (A)", "/T 90 0 R", "content set 5 0 R", 1},
		{"date of a source", "/TS (D:2001)", "/TS 90 0 R", "content set 5 0 R", 1},
		{"command of a source", "/C 15 0 R >>", "/C 90 0 R >>", "content set 5 0 R", 1},
		{"key in an array", "(http://b.example/i.jpg) 8 0 R", "(http://b.example/i.jpg) [ 8 0 R 90 0 R ]",
			"URLS, entry 2 of node 20 0 R, content set 90 0 R", 0},
		{"value of a key", "(http://d.example/) 10 0 R", "(http://d.example/) 90 0 R", "content set 90 0 R", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := pdf(t, edit(t, a, tt.old, tt.new))
			res := compare(t, pdf(t, a), b)
			if len(res.A.Unread) != 0 || len(res.B.Unread) != 1 || len(res.Changes) != tt.changes {
				t.Fatalf("want one unread part, in B, and %d changes:\n%s", tt.changes, text(res))
			}
			if u := res.B.Unread[0]; u.Place.String() != tt.place || !object.IsMalformed(u.Err) {
				t.Errorf("unread part %v: %v, want it at %s", u.Place, u.Err, tt.place)
			}
			if back := compare(t, b, pdf(t, a)); len(back.A.Unread) != 1 || len(back.B.Unread) != 0 {
				t.Errorf("the other way round:\n%s", text(back))
			}
			if itself := compare(t, b, b); len(itself.Changes) != 0 || itself.Whole() {
				t.Errorf("with itself:\n%s", text(itself))
			}
		})
	}
}

// direct is a content set without ID that stands in the entry of a key itself.
const direct = "<< /S /SPS /T (x) /O [ ] /SI << /AU (http://n.example/) >> >>"

// TestValues: the value of a key is a number of content sets. Other objects in their place have a kind.
func TestValues(t *testing.T) {
	const d = "(http://d.example/) 10 0 R"
	value := func(v string) []string { return []string{d, "(http://d.example/) " + v} }
	changed := func(text string) string {
		return "changed URLS key (http://d.example/): page set " + idC + " | " + text + "\n"
	}
	const a3 = "page set " + idA + ", page set " + idC + ", image set " + idB
	testPairs(t, []pairCase{
		{"an integer", nil, value("7"), changed("integer")},
		{"a name", nil, value("/X"), changed("name")},
		{"a dictionary", nil, value("<< >>"), changed("dictionary")},
		{"an empty array", nil, value("[ ]"), changed("an empty array")},
		{"three content sets", nil, value("[ 8 0 R 5 0 R 10 0 R ]"), changed(a3)},
		{"four content sets", nil, value("[ 8 0 R 5 0 R 10 0 R 8 0 R ]"), changed(a3 + " and 1 more")},
		{"another kind among content sets", nil, value("[ 10 0 R 7 ]"), changed("integer, page set " + idC)},
		{"a content set within its array", nil, value(`[ << /S /SPS /ID ` + idC + ` /O [ 11 0 R ] /SI << /AU << ` +
			`/U (http://c.example/) /C [ [ (http://d.example/) ] ] >> >> >> ]`), ""},
		{"an array of arrays", []string{"\n10 0 obj", "\n30 0 obj [ 10 0 R ]\n10 0 obj"}, value("[ 30 0 R ]"),
			changed("array")},
		{"an array that is a value and an element",
			[]string{"\n10 0 obj", "\n30 0 obj [ 10 0 R ]\n10 0 obj", "(http://c.example/) 10 0 R",
				"(http://c.example/) 30 0 R"},
			value("[ 30 0 R ]"), changed("array")},
		{"two arrays", nil, []string{"(http://a.example/) 5 0 R", "(http://a.example/) [ 5 0 R 10 0 R ]", d,
			"(http://d.example/) [ 10 0 R 8 0 R ]"},
			"changed URLS key (http://a.example/): page set " + idA + " | page set " + idA + ", page set " + idC + "\n" +
				changed("page set "+idC+", image set "+idB)},
		{"a content set within its array, before another", value("[ 10 0 R 5 0 R ]"),
			[]string{"/Names [ (http://a.example/) 5 0 R (http://b.example/i.jpg) 8 0 R (http://c.example/) 10 0 R " +
				"(http://d.example/) [ 10 0 R 5 0 R ]", "/Names [ (http://a.example/) 5 0 R (http://b.example/i.jpg) 8 0 R " +
				"(http://c.example/) 10 0 R (http://d.example/) [ << /S /SPS /ID " + idC + " /O [ 11 0 R ] /SI << /AU << " +
				"/U (http://c.example/) /C [ [ (http://d.example/) ] ] >> >> >> 5 0 R ]"}, ""},
		{"keys of different content sets", nil, []string{d, "(http://e.example/) 5 0 R"},
			"lost URLS key (http://d.example/): page set " + idC + " | \n" +
				"added URLS key (http://e.example/):  | page set " + idA + "\n"},
		{"a URL in another encoding", []string{"(http://m.example/) 5 0 R", "<ff> 5 0 R"}, []string{"<ff>", "<c3bf>"},
			"changed URLS key <ff>: <ff> | <c3bf>\n"},
		{"keys of a lost and of a new content set", []string{d, d + " (http://e.example/) [ 10 0 R " + direct + " ]"},
			[]string{"(http://e.example/) [ 10 0 R << /S /SPS", "(http://f.example/) [ 10 0 R << /S /SIS"},
			"setsDropped: 1 of 4 content sets dropped\n" +
				"lost URLS key (http://e.example/): page set " + idC + ", page set without ID | \n" +
				"added URLS key (http://f.example/):  | page set " + idC + ", image set without ID\n" +
				"lost page set of (http://n.example/): 0 members | \nadded image set of (http://n.example/):  | 0 members\n"},
		{"a direct content set that changes", []string{d, d + " (http://e.example/) " + direct}, []string{"(x)", "(y)"},
			"changed page set of (http://n.example/), T: (x) | (y)\n"},
		{"a direct content set that is lost", []string{d, d + " (http://e.example/) " + direct},
			[]string{"(http://e.example/) " + direct, ""},
			"setsDropped: 1 of 4 content sets dropped\nlost page set of (http://n.example/): 0 members | \n"},
		{"a key of a lost and a kept content set",
			[]string{d, d + " (http://e.example/) [ 10 0 R " + direct + " ]"},
			[]string{"(http://e.example/) [ 10 0 R " + direct + " ]", ""},
			"setsDropped: 1 of 4 content sets dropped\n" +
				"lost URLS key (http://e.example/): page set " + idC + ", page set without ID | \n" +
				"lost page set of (http://n.example/): 0 members | \n"},
	})
}

// TestOrderOfChanges: changes of one content set are next to each other, and causes are in the order of their kinds.
func TestOrderOfChanges(t *testing.T) {
	testPairs(t, []pairCase{
		{"content sets", nil, []string{"/CT (text/html)", "/CT (text/plain)", "/O [ 6 0 R 7 0 R ]", "/O [ 6 0 R ]",
			"(http://m.example/) >> ]", "(http://m.example/) /TS (D:2003) >> ]", "/O [ 11 0 R ]", "/O [ ] /T (C)",
			"/DCTDecode /ID " + idB, "/DCTDecode"},
			"changed " + setA + ", CT: (text/html) | (text/plain)\n" +
				"added " + setA + ", source (http://m.example/), TS:  | (D:2003)\n" +
				"lost " + setA + ", O element 1: page 2 | \n" +
				"added " + setC + ", T:  | (C)\n" +
				"lost " + setC + ", O element 0: page 3 | \n" +
				"changed " + setB + ", O element 0: image of 8 × 4, ID " + idB + ", data 79e79746 | " +
				"image of 8 × 4, data 79e79746\n"},
		{"causes", nil, []string{"/URLS 20 0 R", "", "/O [ 6 0 R 7 0 R ]", "/O [ null 7 0 R ]"},
			"treeDropped: the tree URLS was dropped, with 5 keys\n" +
				"membersNulled: 1 of 4 members of content sets replaced by null\n" +
				"lost URLS: 5 keys | \nchanged " + setA + ", O element 0: page 1 | null\n"},
	})
}

// TestDatabases: what counts as a database, and when content sets are not listed one by one.
func TestDatabases(t *testing.T) {
	const names = "/URLS 20 0 R /IDS 21 0 R"
	const info = "spiderinfo: << /V 1.25 /C [ 15 0 R 16 0 R ] >>"
	oneEach := []string{"(http://b.example/i.jpg) 8 0 R (http://c.example/) 10 0 R (http://d.example/) 10 0 R " +
		"(http://m.example/) 5 0 R", "", idB + " 8 0 R " + idC + " 10 0 R", ""}
	noID := []string{"7 0 obj << /Type /Page /ID " + idA, "7 0 obj << /Type /Page"}
	testPairs(t, []pairCase{
		{"none in both files", []string{names, "", info, ""}, noID, ""},
		{"SpiderInfo only", []string{names, ""}, []string{"/V 1.25", "/V 1.5"}, "changed SpiderInfo, V: 1.25 | 1.5\n"},
		{"trees with as many keys are emptied", oneEach, []string{names, "/URLS << >> /IDS << >>"},
			"treeDropped: the tree URLS was dropped, with 1 key\ntreeDropped: the tree IDS was dropped, with 1 key\n" +
				"lost URLS: 1 key | \nlost IDS: 1 key | \n"},
		{"trees are emptied, and a page ID is lost", nil, append(noID, names, ""),
			"treeDropped: the tree URLS was dropped, with 5 keys\ntreeDropped: the tree IDS was dropped, with 3 keys\n" +
				"pageIDsDropped: 1 of 3 page IDs lost, or the page removed\n" +
				"lost URLS: 5 keys | \nlost IDS: 3 keys | \nchanged pages with ID " + idA + ": 2 pages | 1 page\n"},
		{"only trees are dropped", nil, []string{names, ""},
			"treeDropped: the tree URLS was dropped, with 5 keys\ntreeDropped: the tree IDS was dropped, with 3 keys\n" +
				"lost URLS: 5 keys | \nlost IDS: 3 keys | \n"},
	})
}
