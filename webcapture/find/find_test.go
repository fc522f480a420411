package find

import (
	"fmt"
	"slices"
	"testing"

	"github.com/webcap-tools/webcap/canon"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

const id = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"

// pageSet is a page set of a URL, object 5, with page 2 of the document.
func pageSet(url string) string {
	return "5 0 obj << /S /SPS /ID " + id + " /O [ 7 0 R ] /TS (D:20030514123000Z) /T (A title) /SI << /AU " + url + " >> >>\n"
}

// trees is a name dictionary with both trees, from the pairs of their root nodes.
func trees(urls, ids string) string {
	return "names: << /URLS << /Names [ " + urls + " ] >> /IDS << /Names [ " + ids + " ] >> >>\n"
}

// answersOf returns the matches of queries in a document, as text.
func answersOf(t *testing.T, objects string, queries ...string) []string {
	t.Helper()
	list := make([]Query, 0, len(queries))
	for _, text := range queries {
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, q)
	}
	doc, err := webcapturetest.Parse(objects)
	if err != nil {
		t.Fatal(err)
	}
	f, err := webcapture.New(t.Context(), doc.Bytes(webcapturetest.Layout{}), webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	res, err := New(list, audit.Options{}).Search(f)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range res.Matches {
		out = append(out, fmt.Sprintf("%s: %s %s %v%v", list[m.Query].Text, m.Answer, m.Capture.URL, m.Capture.Pages, m.Differs))
	}
	return out
}

const pages = "6 0 obj << /Type /Page >>\n7 0 obj << /Type /Page /ID " + id + " >>\n"

func TestAnswers(t *testing.T) {
	alias := pageSet("<< /U (http://a.example/b) /C [ [ (http://r.example/) ] ] >>")
	// A viewer meets the null first.
	nullKid := "names: << /URLS << /Kids [ 10 0 R null 11 0 R ] >> >>\n" +
		"10 0 obj << /Limits [ (http://a.example/b) (http://a.example/b) ] /Names [ (http://a.example/b) 5 0 R ] >>\n" +
		"11 0 obj << /Limits [ (http://z.example/) (http://z.example/) ] /Names [ (http://z.example/) null ] >>\n"
	sound := trees("(http://a.example/b) 5 0 R", id+" 5 0 R")
	for _, test := range []struct{ name, objects, query, want string }{
		{"found", sound + pageSet("(http://a.example/b)"), "HTTP://a.example:80/./b#top", "found http://a.example/b [2][]"},
		{"ID found", sound + pageSet("(http://a.example/b)"), "A0A1a2a3a4a5a6a7a8a9aaabacadaeaf", "found http://a.example/b [2][]"},
		{"prefix", sound + pageSet("(http://a.example/b)"), "http://a.example*", "found http://a.example/b [2][]"},
		{"wrong key", trees("(http://a.example:80/b) 5 0 R", "") + pageSet("(http://a.example/b)"), "http://a.example/b",
			"missed http://a.example/b [2][]"},
		{"wrong key, prefix", trees("(http://a.example:80/b) 5 0 R", "") + pageSet("(http://a.example/b)"), "http://a.example/*",
			"missed http://a.example/b [2][]"},
		{"wrong key of IDS", trees("(http://a.example/b) 5 0 R", "<00> 5 0 R") + pageSet("(http://a.example/b)"),
			"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "missed http://a.example/b [2][]"},
		{"out of order", trees("(http://a.example/b) 5 0 R (http://0.example/) null (http://0.example/) null", "") +
			pageSet("(http://a.example/b)"), "http://a.example/b", "missed http://a.example/b [2][]"},
		{"a kid is null", nullKid + pageSet("(http://a.example/b)"), "http://a.example/b", "missed http://a.example/b [2][]"},
		{"a kid is null, prefix", nullKid + pageSet("(http://a.example/b)"), "http://a.example/*",
			"missed http://a.example/b [2][]"},
		{"no page left", sound + "5 0 obj << /S /SPS /ID " + id + " /O [ 99 0 R ] /SI << /AU (http://a.example/b) >> >>\n",
			"http://a.example/b", "missed http://a.example/b [][]"},
		{"other scheme", sound + pageSet("(http://a.example/b)"), "https://www.a.example:81/B/",
			"other form http://a.example/b [2][scheme www. port slash at the end case]"},
		{"escapes", trees("(http://a.example/b%20c) 5 0 R", "") + pageSet("(http://a.example/b%20c)"), "http://a.example/b c",
			"other form http://a.example/b%20c [2][escapes]"},
		{"redirect", sound + alias, "http://r.example/", "other form http://a.example/b [2][redirect]"},
		{"redirect with a key", trees("(http://a.example/b) 5 0 R (http://r.example/) 5 0 R", "") + alias, "http://r.example/",
			"found http://a.example/b [2][]"},
		{"key of another capture", trees("(http://b.example/) 5 0 R", "") + pageSet("(http://a.example/b)"), "http://b.example/",
			"other capture http://a.example/b [2][]"},
		{"not there", sound + pageSet("(http://a.example/b)"), "http://a.example/c", ""},
		{"asterisk in the middle", sound + pageSet("(http://a.example/b)"), "http://*.example/b", ""},
		{"no database", "", "http://a.example/b", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want []string
			if test.want != "" {
				want = []string{test.query + ": " + test.want}
			}
			if got := answersOf(t, pages+test.objects, test.query); !slices.Equal(got, want) {
				t.Errorf("answers are %q, want %q", got, want)
			}
		})
	}
}

// An exact match hides matches in other forms of the same query, but not those of another query.
func TestAnswersOfSeveralQueries(t *testing.T) {
	objects := pages + "names: << /URLS << /Names [ (http://a.example/b) 5 0 R (https://a.example/b) 8 0 R ] >> >>\n" +
		pageSet("(http://a.example/b)") +
		"8 0 obj << /S /SPS /O [ 6 0 R ] /SI << /AU (https://a.example/b) >> >>\n"
	got := answersOf(t, objects, "https://a.example/b", "https://a.example/B")
	want := []string{"https://a.example/b: found https://a.example/b [1][]", "https://a.example/B: other form http://a.example/b [2][scheme case]",
		"https://a.example/B: other form https://a.example/b [1][case]"}
	if !slices.Equal(got, want) {
		t.Errorf("answers are %q, want %q", got, want)
	}
}

// FuzzForms: if two URLs with the same loose form are not equal, differences names at least one part.
func FuzzForms(f *testing.F) {
	for _, pair := range [][2]string{{"http://a/b/?q", "http://a/b?q"}, {"http://www.a/", "https://A:1"}, {"http://a/%41", "http://a/A"},
		{"http:a", "HTTP:a/"}, {"http://u@a/;x?", "http://a/;x?"}} {
		f.Add(pair[0], pair[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := []byte(canon.URL(a)), []byte(canon.URL(b))
		if looseForm(x) == looseForm(y) && string(x) != string(y) && len(differences(x, y)) == 0 {
			t.Errorf("%q and %q differ in nothing", x, y)
		}
		if q, err := Parse(a); err == nil && q.Text != a {
			t.Errorf("Parse(%q) is about %q", a, q.Text)
		}
	})
}

func TestParse(t *testing.T) {
	for _, text := range []string{"", "*", "www.example.com", "/a", "a0a1"} {
		t.Run(text, func(t *testing.T) {
			if q, err := Parse(text); err == nil {
				t.Errorf("Parse(%q) = %v", text, q)
			}
		})
	}
}
