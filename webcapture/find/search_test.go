package find

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// One query does not affect another: neither one that leads nowhere, nor one of the same content set.
func TestQueriesAreIndependent(t *testing.T) {
	sets := trees("(http://a.example/b) 5 0 R (http://c.example/) 5 0 R"+outOfOrder+" (http://r.example:80/) null",
		id+" 5 0 R") +
		pageSet("<< /U (http://a.example/b) /C [ [ (http://r.example/) ] ] >>")
	queries := []string{"http://z.example/", "http://c.example/", "http://a.example/b", "http://r.example/",
		"http://A.example/B", "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "http://a.example/b"}
	all := answersOf(t, pages+sets, queries...)
	var want []string
	for _, q := range queries {
		want = append(want, answersOf(t, pages+sets, q)...)
	}
	if !slices.Equal(all, want) {
		t.Errorf("answers are %q, want %q", all, want)
	}
	if len(all) != 5 {
		t.Errorf("answers are %q, want five", all)
	}
}

// A set that a viewer misses by several keys and URLS is missed for each query.
func TestMissedByManyQueries(t *testing.T) {
	bare := trees("(http://a.example/b) 5 0 R (http://b.example/) 5 0 R "+
		"(http://c.example/) 8 0 R"+outOfOrder+outOfOrder, "") + bareSet +
		"8 0 obj << /S /SPS /O [ 6 0 R ] /SI << /AU (http://z.example/) >> >>\n"
	for _, test := range []struct {
		objects string
		queries []string
		want    string
	}{
		{bare, []string{"http://a.example/b", "http://b.example/", "http://a.example/b"},
			"0 missed, 1 missed, 2 missed"},
		{trees("(http://a.example:80/b) 5 0 R", "<00> 5 0 R") + pageSet("(http://a.example/b)"),
			[]string{"http://a.example/b", "http://a.example/b", strings.Trim(id, "<>"), id},
			"0 missed, 1 missed, 2 missed, 3 missed"},
		{"5 0 obj << /S /SPS /O [ 7 0 R ] /SI << /AU (http://z.example/) >> >>\n" + trees("(http://a.example/b) 5 0 R"+
			" (http://b.example/) 5 0 R (http://z.example:80/) 5 0 R"+outOfOrder+outOfOrder, ""),
			[]string{"http://a.example/b", "http://z.example/"}, "1 missed"},
	} {
		var got []string
		for _, m := range searchIn(t, pages+test.objects, test.queries...).Matches {
			got = append(got, fmt.Sprint(m.Query, " ", m.Answer))
		}
		if text := strings.Join(got, ", "); text != test.want {
			t.Errorf("%q: matches are %s, want %s", test.queries, text, test.want)
		}
	}
}

// A set without a source has the URL of its key, and its canonical form.
func TestURLOfKey(t *testing.T) {
	res := searchIn(t, pages+trees("(http://a.example/b) 5 0 R", "")+bareSet, "http://a.example/b")
	if c := res.Matches[0].Capture; c.URL != "http://a.example/b" || c.Canonical != c.URL {
		t.Errorf("URL %q, canonical %q", c.URL, c.Canonical)
	}
}

// If a set has the URL of a query, other forms of the URL are not answers, even if a viewer misses that set.
func TestExactMatchHidesOtherForms(t *testing.T) {
	objects := pages + trees("(http://a.example:80/b) 5 0 R (https://a.example/b) 8 0 R (http://a.example/b/) 8 0 R",
		"") +
		pageSet("(http://a.example/b)") + "8 0 obj << /S /SPS /O [ 6 0 R ] /SI << /AU (https://a.example/b) >> >>\n"
	got := answersOf(t, objects, "http://a.example/b")
	if want := []string{"http://a.example/b: missed http://a.example/b [2]"}; !slices.Equal(got, want) {
		t.Errorf("answers are %q, want %q", got, want)
	}
}

// Matches come by query, answer, date, and URL. Captures without a date come last.
func TestOrderOfMatches(t *testing.T) {
	var b strings.Builder
	set := func(num int, url, date string) {
		fmt.Fprintf(&b, "%d 0 obj << /S /SPS /O [ 7 0 R ] /SI << /AU (%s) >> /TS (%s) >>\n", num, url, date)
	}
	b.WriteString(pages +
		trees("(http://a.example/1) [ 21 0 R 22 0 R 23 0 R 25 0 R ] (http://a.example/2) 24 0 R (http://b.example/) 27 0 R", ""))
	set(21, "http://a.example/1", "none")
	set(22, "http://a.example/1", "D:2004")
	set(23, "http://a.example/1", "D:2003")
	set(24, "http://a.example/1", "D:2001") // a viewer misses it
	set(25, "http://z.example/", "D:2000")  // another capture
	set(27, "http://b.example/", "D:1999")
	var got []string
	for _, m := range searchIn(t, b.String(), "http://a.example/1", "http://b.example/").Matches {
		got = append(got, fmt.Sprint(m.Query, " ", m.Answer, " ", m.Capture.TS.Stored, " ", m.Capture.URL))
	}
	want := []string{"0 found D:2003 http://a.example/1", "0 found D:2004 http://a.example/1",
		"0 found none http://a.example/1", "0 other capture D:2000 http://z.example/",
		"1 found D:1999 http://b.example/"}
	if !slices.Equal(got, want) {
		t.Errorf("matches are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// If a viewer finds all queries, webcap does not read the trees. Otherwise the facts about them are in the result.
func TestFacts(t *testing.T) {
	objects := pages + trees("(http://a.example/b) 5 0 R (http://c.example/) null", id+" 5 0 R") +
		pageSet("(http://a.example/b)")
	res := searchIn(t, objects, "http://a.example/b")
	if want := (webcapture.Facts{Size: res.Size, Present: true}); fmt.Sprint(res.Facts) != fmt.Sprint(want) ||
		res.Size == 0 {
		t.Errorf("facts of a found query are %v, want only the size and Present", res.Facts)
	}
	res = searchIn(t, objects, "http://a.example/b", "http://z.example/")
	if res.URLS != 2 || res.IDS != 1 || !res.Present || res.Size == 0 {
		t.Errorf("facts are %v, want 2 URLS and 1 IDS", res.Facts)
	}
	if res := searchIn(t, pages, "http://z.example/"); res.Present {
		t.Errorf("facts of a file without a database are %v", res.Facts)
	}
}

// The result names the parts that could not be searched.
func TestUnread(t *testing.T) {
	const broken = "9 0 obj 9 0 R\n"
	for _, test := range []struct{ name, objects, query, want string }{
		{"sound", trees("(http://a.example/b) 5 0 R", "") + pageSet("(http://a.example/b)"), "http://z.example/", ""},
		{"content set", trees("(http://a.example/b) 9 0 R", "") + broken, "http://a.example/b", "content set 9 0 R"},
		{"node", "names: << /URLS << /Kids [ 10 0 R ] >> >>\n10 0 obj << /Names 9 0 R >>\n" + broken,
			"http://a.example/b", "URLS, node 10 0 R: "},
		{"name dictionary", "names: (x)\n", "http://a.example/b", ": the name dictionary is a string"},
		{"title of a match", trees("(http://a.example/b) 5 0 R", "") + strings.Replace(pageSet("(http://a.example/b)"),
			"(A title)", "9 0 R", 1) +
			broken, "http://a.example/b", "content set 5 0 R"},
		{"date of a match, which is found second", trees("(http://a.example/c) 5 0 R", "") +
			strings.Replace(pageSet("(http://a.example/b)"),
				"(D:20030514123000Z)", "9 0 R", 1) + broken, "http://a.example/b", "content set 5 0 R"},
		{"content set before a match", trees("(http://a.example/c) 5 0 R (http://0.example/) 4 0 R", "") +
			pageSet("(http://a.example/b)") +
			"4 0 obj 4 0 R\n", "http://a.example/b", "content set 4 0 R"},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			res := searchIn(t, pages+test.objects, test.query)
			if found := strings.Contains(test.name, "match"); found != (len(res.Matches) == 1) {
				t.Errorf("%d matches", len(res.Matches))
			}
			for _, u := range res.Unread {
				got = append(got, fmt.Sprintf("%v: %v", u.Place, u.Err))
			}
			if text := strings.Join(got, "\n"); !strings.Contains(text, test.want) ||
				(len(got) > 0) != (test.want != "") {
				t.Errorf("unread parts are\n%s\nwant %q", text, test.want)
			}
		})
	}
}

// If the context ends at any moment, or if reading fails once, the search fails with this error. A partial result is
// never taken for a complete one.
func TestReadErrorsEndSearch(t *testing.T) {
	doc, err := webcapturetest.Parse(pages + "names: << /URLS 20 0 R /IDS 21 0 R >>\n" +
		"20 0 obj << /Kids [ 22 0 R 23 0 R null ] >>\n21 0 obj << /Names [ (x) 8 0 R (y) 5 0 R ] >>\n" +
		"22 0 obj << /Limits [ (http://a.example/b) (http://c.example/) ] " +
		"/Names [ (http://a.example/b) 5 0 R (http://c.example/) 15 0 R ] >>\n" +
		"23 0 obj << /Limits [ (http://d.example:80/) (http://f.example/) ] " +
		"/Names [ (http://d.example:80/) 8 0 R (http://e.example/) 15 0 R (http://f.example/) 5 0 R ] >>\n" +
		"5 0 obj << /S /SPS /ID " + id +
		" /O [ 7 0 R ] /SI [ << /AU 11 0 R >> << /AU << /U (http://c.example/) /C [ [ 16 0 R ] ] >> >> ] >>\n" +
		"8 0 obj << /S /SPS /ID 12 0 R /O [ 7 0 R ] /T 13 0 R /SI << /AU 14 0 R >> >>\n" +
		"11 0 obj (http://a.example/b)\n12 0 obj " + id +
		"\n13 0 obj (A title)\n14 0 obj (http://d.example/)\n15 0 obj [ 8 0 R 5 0 R ]\n" +
		"16 0 obj (http://r.example/)\n")
	if err != nil {
		t.Fatal(err)
	}
	data := doc.Bytes(webcapturetest.Layout{})
	for _, query := range []string{"http://a.example/b", "https://d.example/", "http://r.example/", "http://e.example/",
		"http://f.example/", "http://d.example/", "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf"} {
		t.Run(query, func(t *testing.T) {
			whole := webcapturetest.NewFailingReads()
			if _, err := searchBytes(t, whole, data, query); err != nil {
				t.Fatal(err)
			}
			for n := range whole.Reads() {
				c := webcapturetest.NewFailingReads()
				c.FailAt(n+1, false)
				res, err := searchBytes(t, c, data, query)
				if !errors.Is(err, webcapturetest.ErrRead) {
					t.Errorf("reading failed at %d of %d: %v, %v", n, whole.Reads(), res, err)
				}
			}
		})
	}
}

// If the matches are too much output for the size of the file, the result ends with a match that fits, and says so
// once.
func TestOutputIsLimited(t *testing.T) {
	const title, url = 20_000, 340_000
	var b strings.Builder
	var refs strings.Builder
	for num := 100; num < 400; num++ {
		fmt.Fprintf(&b, "%d 0 obj << /S /SIS /O [ ] /T 11 0 R /SI << /AU 12 0 R >> >>\n", num)
		fmt.Fprintf(&refs, " %d 0 R", num)
	}
	fmt.Fprintf(&b, "11 0 obj (%s)\n12 0 obj (http://a/%s)\n", strings.Repeat("t", title), strings.Repeat("u",
		url-len("http://a/")))
	res := searchIn(t, trees("", id+" ["+refs.String()+" ]")+b.String(), "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf")
	if n := len(res.Matches); n == 0 || n == 300 {
		t.Errorf("%d matches", n)
	}
	if len(res.Unread) != 1 || !errors.Is(res.Unread[0].Err, meter.Over{}) {
		t.Errorf("unread parts are %v, want %v", res.Unread, meter.Over{})
	}
}

// If the sets refer to the same large object, the search ends when it was too much work for the size of the file.
func TestWorkForSharedObjectsIsLimited(t *testing.T) {
	var b, ids strings.Builder
	for num := 100; num < 1100; num++ {
		fmt.Fprintf(&b, "%d 0 obj << /S /SIS /O 11 0 R /SI << /AU (http://a.example/%d) >> >>\n", num, num)
		fmt.Fprintf(&ids, " <%032x> %d 0 R", num, num)
	}
	fmt.Fprintf(&b, "11 0 obj <%s>\n", strings.Repeat("0", 1<<19))
	for query, matches := range map[string]int{"https://a.example/100": 1, "https://a.example/1099": 0} {
		res := searchIn(t, trees("", ids.String())+b.String(), query)
		if len(res.Matches) != matches || len(res.Unread) != 1 || !errors.Is(res.Unread[0].Err, meter.Over{}) {
			t.Errorf("%s: matches %v and unread parts %v; want %d and %v", query, res.Matches, res.Unread, matches,
				meter.Over{})
		}
	}
}
