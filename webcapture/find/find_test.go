package find

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

const id = "<a0a1a2a3a4a5a6a7a8a9aaabacadaeaf>"

// pageSet is a page set of a URL, object 5, with page 2 of the document.
func pageSet(url string) string {
	return "5 0 obj << /S /SPS /ID " + id + " /O [ 7 0 R ] /TS (D:20030514123000Z) /T (A title) /SI << /AU " + url +
		" >> >>\n"
}

// trees is a name dictionary with both trees, from the pairs of their root nodes.
func trees(urls, ids string) string {
	return "names: << /URLS << /Names [ " + urls + " ] >> /IDS << /Names [ " + ids + " ] >> >>\n"
}

// answersOf returns the matches of queries in a document, as text.
func answersOf(t *testing.T, objects string, queries ...string) []string {
	t.Helper()
	var out []string
	for _, m := range searchIn(t, objects, queries...).Matches {
		out = append(out, fmt.Sprintf("%s: %s %s %v", queries[m.Query], m.Answer, m.Capture.URL, m.Capture.Pages))
	}
	return out
}

// searchIn returns the result of searching a document for queries.
func searchIn(t *testing.T, objects string, queries ...string) *Result {
	t.Helper()
	doc, err := webcapturetest.Parse(objects)
	if err != nil {
		t.Fatal(err)
	}
	res, err := searchBytes(t, t.Context(), doc.Bytes(webcapturetest.Layout{}), queries...)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// searchBytes searches a file. The error is that of opening it, or that of the search.
func searchBytes(t *testing.T, ctx context.Context, data []byte, queries ...string) (*Result, error) {
	t.Helper()
	list := make([]Query, 0, len(queries))
	for _, text := range queries {
		q, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, q)
	}
	f, err := webcapture.New(ctx, data, webcapture.Options{})
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return New(list).Search(f)
}

// bareSet is a page set without a source.
const bareSet = "5 0 obj << /S /SPS /ID " + id + " /O [ 7 0 R ] >>\n"

// outOfOrder are pairs for the end of a leaf. Because of them, a binary search misses the first pair.
const outOfOrder = " (http://0.example/) null (http://0.example/) null"

const pages = "6 0 obj << /Type /Page >>\n7 0 obj << /Type /Page /ID " + id + " >>\n"

func TestAnswers(t *testing.T) {
	alias := pageSet("<< /U (http://a.example/b) /C [ [ (http://r.example/) ] ] >>")
	// A viewer meets the null first.
	nullKid := "names: << /URLS << /Kids [ 10 0 R null 11 0 R ] >> >>\n" +
		"10 0 obj << /Limits [ (http://a.example/b) (http://a.example/b) ] /Names [ (http://a.example/b) 5 0 R ] >>\n" +
		"11 0 obj << /Limits [ (http://z.example/) (http://z.example/) ] /Names [ (http://z.example/) null ] >>\n"
	// Each defect that can hide a key from a viewer. A viewer meets the unreadable kid first.
	allDefects := "names: << /URLS 10 0 R >>\n10 0 obj << /Kids [ 11 0 R null 9 0 R 11 0 R 10 0 R ] >>\n9 0 obj ]\n" +
		"11 0 obj << /Limits [ (http://a.example/b) (http://a.example/b) ] /Names [ (http://a.example/b) 5 0 R " +
		"null null 7 null 9 0 R null ] >>\n"
	sound := trees("(http://a.example/b) 5 0 R", id+" 5 0 R")
	for _, test := range []struct{ name, objects, query, want string }{
		{"found", sound + pageSet("(http://a.example/b)"), "HTTP://a.example:80/./b#top",
			"found http://a.example/b [2]"},
		{"ID found", sound + pageSet("(http://a.example/b)"), "A0A1a2a3a4a5a6a7a8a9aaabacadaeaf",
			"found http://a.example/b [2]"},
		{"wrong key", trees("(http://a.example:80/b) 5 0 R", "") + pageSet("(http://a.example/b)"),
			"http://a.example/b",
			"missed http://a.example/b [2]"},
		{"wrong key of IDS", trees("(http://a.example/b) 5 0 R", "<00> 5 0 R") + pageSet("(http://a.example/b)"),
			"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "missed http://a.example/b [2]"},
		{"out of order", trees("(http://a.example/b) 5 0 R"+outOfOrder, "") +
			pageSet("(http://a.example/b)"), "http://a.example/b", "missed http://a.example/b [2]"},
		{"a kid is null", nullKid + pageSet("(http://a.example/b)"), "http://a.example/b",
			"missed http://a.example/b [2]"},
		{"all defects", allDefects + pageSet("(http://a.example/b)"), "http://a.example/b",
			"missed http://a.example/b [2]"},
		{"no page left", sound + "5 0 obj << /S /SPS /ID " + id +
			" /O [ 99 0 R ] /SI << /AU (http://a.example/b) >> >>\n",
			"http://a.example/b", "missed http://a.example/b []"},
		{"other scheme", sound + pageSet("(http://a.example/b)"), "https://www.a.example:81/B/",
			"other form http://a.example/b [2]"},
		{"escapes", trees("(http://a.example/b%20c) 5 0 R", "") + pageSet("(http://a.example/b%20c)"),
			"http://a.example/b c",
			"other form http://a.example/b%20c [2]"},
		{"redirect", sound + alias, "http://r.example/", "redirected http://a.example/b [2]"},
		{"redirect with a key", trees("(http://a.example/b) 5 0 R (http://r.example/) 5 0 R", "") + alias,
			"http://r.example/",
			"found http://a.example/b [2]"},
		{"key of another capture", trees("(http://b.example/) 5 0 R", "") + pageSet("(http://a.example/b)"),
			"http://b.example/",
			"other capture http://a.example/b [2]"},
		{"not there", sound + pageSet("(http://a.example/b)"), "http://a.example/c", ""},
		{"asterisk in the middle", sound + pageSet("(http://a.example/b)"), "http://*.example/b", ""},
		{"no database", "", "http://a.example/b", ""},
	} {
		t.Run(test.name, func(t *testing.T) { checkAnswer(t, test.objects, test.query, test.want) })
	}
}

// Answers about sets that lack entries, and about entries whose values are not sets.
func TestAnswersOfIncompleteSets(t *testing.T) {
	sound := trees("(http://a.example/b) 5 0 R", id+" 5 0 R")
	alias := pageSet("<< /U (http://a.example/b) /C [ [ (http://r.example/) ] ] >>")
	for _, test := range []struct{ name, objects, query, want string }{
		{"ID of another set", trees("", id+" 5 0 R") + strings.Replace(pageSet("(http://a.example/b)"), id, "<00>", 1),
			"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "other capture http://a.example/b [2]"},
		{"ID of a set without one", trees("", id+" 5 0 R") +
			"5 0 obj << /S /SPS /O [ 7 0 R ] /SI << /AU (http://a.example/b) >> >>\n",
			"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", "found http://a.example/b [2]"},
		{"set without a URL", trees("(http://a.example/b) 5 0 R", "") + bareSet, "http://a.example/b",
			"found http://a.example/b [2]"},
		{"set without a URL, out of order", trees("(http://a.example/b) 5 0 R"+outOfOrder, "") + bareSet,
			"http://a.example/b",
			"missed http://a.example/b [2]"},
		{"direct set without a URL, out of order", trees("(http://a.example/b) << /S /SPS /O [ 7 0 R ] >>"+outOfOrder,
			""),
			"http://a.example/b", "missed http://a.example/b [2]"},
		{"ID of a set without a URL", trees("", id+" 5 0 R") + bareSet, "a0a1a2a3a4a5a6a7a8a9aaabacadaeaf",
			"found  [2]"},
		{"another capture without a page", trees("(http://b.example/) 5 0 R", "") +
			"5 0 obj << /S /SPS /O [ ] /SI << /AU (http://a.example/b) >> >>\n", "http://b.example/",
			"other capture http://a.example/b []"},
		{"another capture, out of order", trees("(http://b.example/) 5 0 R"+outOfOrder, "") +
			pageSet("(http://a.example/b)"),
			"http://b.example/", ""},
		{"image set", trees("(http://a.example/b) 5 0 R", "") +
			"5 0 obj << /S /SIS /O [ ] /SI << /AU (http://a.example/b) >> >>\n",
			"http://a.example/b", "found http://a.example/b []"},
		{"redirect in another form", sound + alias, "https://r.example/",
			"other form http://a.example/b [2]"},
		{"value is not a content set", trees("(http://a.example/b) 6 0 R", ""), "http://a.example/b", ""},
		{"value cannot be read", trees("(http://a.example/b) 9 0 R", "") + "9 0 obj 9 0 R\n", "http://a.example/b", ""},
		{"array with other objects", trees("(http://a.example/b) [ 9 0 R 6 0 R 5 0 R ]", "") +
			pageSet("(http://a.example/b)") +
			"9 0 obj 9 0 R\n", "http://a.example/b", "found http://a.example/b [2]"},
		{"URL in letters that are an ID", sound + pageSet("(https://a.example/)"),
			"687474703a2f2f612e6578616d706c65", ""}, // http://a.example
	} {
		t.Run(test.name, func(t *testing.T) { checkAnswer(t, test.objects, test.query, test.want) })
	}
}

// checkAnswer tests that a query has one answer, or none if want is empty.
func checkAnswer(t *testing.T, objects, query, want string) {
	t.Helper()
	var list []string
	if want != "" {
		list = []string{query + ": " + want}
	}
	if got := answersOf(t, pages+objects, query); !slices.Equal(got, list) {
		t.Errorf("answers are %q, want %q", got, list)
	}
}

// An exact match hides matches in other forms of the same query, but not those of another query.
func TestAnswersOfSeveralQueries(t *testing.T) {
	objects := pages + "names: << /URLS << /Names [ (http://a.example/b) 5 0 R (https://a.example/b) 8 0 R ] >> >>\n" +
		pageSet("(http://a.example/b)") +
		"8 0 obj << /S /SPS /O [ 6 0 R ] /SI << /AU (https://a.example/b) >> >>\n"
	got := answersOf(t, objects, "https://a.example/b", "https://a.example/B")
	want := []string{"https://a.example/b: found https://a.example/b [1]",
		"https://a.example/B: other form http://a.example/b [2]",
		"https://a.example/B: other form https://a.example/b [1]"}
	if !slices.Equal(got, want) {
		t.Errorf("answers are %q, want %q", got, want)
	}
}

// FuzzParse: a query keeps its text.
func FuzzParse(f *testing.F) {
	for _, text := range []string{"http://a/b/?q", "https://A:1", "http:a", "http://u@a/;x?", "00"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if q, err := Parse(text); err == nil && (q.Text != text || looseForm([]byte(q.Key)) == "") {
			t.Errorf("Parse(%q) is about %q", text, q.Text)
		}
	})
}

// Forms of one URL have the same loose form. Other URLs do not.
func TestForms(t *testing.T) {
	for _, test := range []struct {
		a, b string
		same bool
	}{
		{"http://a.example/b", "http://a.example/b", true},
		{"http://a.example/b", "https://a.example/b", true},
		{"javascript:go('#a')", "javascript:go('#b')", true},
		{"http://a.example/", "http://user@a.example/", true},
		{"http://www.a.example/", "http://a.example/", true},
		{"http://a.example:81/", "http://a.example/", true},
		{"http://a.example/b%2fc", "http://a.example/b%2Fc", true},
		{"http://a.example/B%20c", "http://a.example/b c", true},
		{"http://a.example/B%20", "http://a.example/b%20", true},
		{"http://a.example/b/", "http://a.example/b", true},
		{"http://a.example/b//", "http://a.example/b/", true},
		{"http://a.example/b/?q", "http://a.example/b?q", true},
		{"http://a.example/b?q", "http://a.example/b?Q", true},
		{"http://a.example/b;p", "http://a.example/b;P", true},
		{"http://a.example/", "http://b.example/", false},
		{"http://a.example/b", "http://a.example/c", false},
		{"http://a.example/b", "http://a.example/b?q", false},
		{"http://a.example/b?q", "http://a.example/b?r", false},
		{"http://a.example/b", "http://a.example/b;p", false},
		{"http://a.example/b;p", "http://a.example/b;q", false},
		{"http://a.example/b;c", "http://a.example/b?c", false},
		{"mailto:a", "news:a", false},
	} {
		if same := looseForm([]byte(test.a)) == looseForm([]byte(test.b)); same != test.same {
			t.Errorf("%s and %s are forms of one URL: %v", test.a, test.b, same)
		}
	}
}

func TestParse(t *testing.T) {
	const bytes = "\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8\xa9\xaa\xab\xac\xad\xae\xaf"
	for _, want := range []Query{
		{"http://a.example", webcapture.URLS, "http://a.example"},
		{"HTTP://A.example:80/b#c", webcapture.URLS, "http://a.example/b"},
		{"http://a.example/*", webcapture.URLS, "http://a.example/*"},
		{"a0a1a2a3a4a5a6a7a8a9aaabacadaeaf", webcapture.IDS, bytes},
		{"<A0A1A2A3A4A5A6A7A8A9AAABACADAEAF>", webcapture.IDS, bytes},
	} {
		t.Run(want.Text, func(t *testing.T) {
			if got, err := Parse(want.Text); got != want || err != nil {
				t.Errorf("Parse(%q) = %v, %v, want %v", want.Text, got, err, want)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	const other = "not a URL with a scheme, such as http://"
	for text, want := range map[string]string{
		"": "it is empty", "www.example.com": other + "www.example.com, or an ID",
		"//a/": other + "a/, or an ID", "a0a1": other + "a0a1, or an ID",
	} {
		t.Run(text, func(t *testing.T) {
			if q, err := Parse(text); err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("Parse(%q) = %v, %v, want the error %s", text, q, err, want)
			}
		})
	}
}
