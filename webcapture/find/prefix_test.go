package find

import (
	"slices"
	"strings"
	"testing"
)

// A prefix finds what a query of the whole key finds: a viewer comes to the content set by any of its keys, and in any
// array.
func TestPrefixFindsWhatKeysFind(t *testing.T) {
	const key, prefix = "http://a.example/b", "http://a.example/*"
	alias := pageSet("<< /U (http://z.example/) /C [ [ (http://a.example/b) ] ] >>")
	page := pageSet("(http://a.example/b)")
	const direct = "<< /S /SPS /O [ 7 0 R ] /SI << /AU (http://a.example/b) >> >>"
	otherKid := "names: << /URLS << /Kids [ 10 0 R 11 0 R null ] >> >>\n" +
		"10 0 obj << /Limits [ (http://a.example/b) (http://a.example/b) ] /Names [ (http://a.example/b) 5 0 R ] >>\n" +
		"11 0 obj << /Limits [ (http://z.example/) (http://z.example/) ] /Names [ (http://z.example/) null ] >>\n"
	for _, test := range []struct{ name, objects, want string }{
		{"a set without a URL", trees("(http://a.example/b) 5 0 R", "") + bareSet, "found http://a.example/b [2][]"},
		{"a set without a URL in an array", trees("(http://a.example/b) 20 0 R", "") + bareSet +
			"20 0 obj [ null 5 0 R ]\n",
			"found http://a.example/b [2][]"},
		{"key of a redirect", trees("(http://a.example/b) 5 0 R", "") + alias, "found http://z.example/ [2][]"},
		{"key of another capture", trees("(http://a.example/b) 5 0 R", "") + pageSet("(http://z.example/)"),
			"other capture http://z.example/ [2][]"},
		{"array in URLS, set in IDS", trees("(http://a.example/b) [ null 5 0 R ]", id+" 5 0 R") + page,
			"found http://a.example/b [2][]"},
		{"arrays that share a set", trees("(http://a.example/a) 20 0 R (http://a.example/b) 21 0 R", "") + page +
			"20 0 obj [ null 5 0 R ]\n21 0 obj [ null 5 0 R ]\n", "found http://a.example/b [2][]"},
		{"direct set", trees("(http://a.example/b) "+direct, ""), "found http://a.example/b [2][]"},
		{"direct set in an array", trees("(http://a.example/b) [ null "+direct+" ]", ""),
			"found http://a.example/b [2][]"},
		{"direct set in an indirect array", trees("(http://a.example/b) 20 0 R", "") + "20 0 obj [ null " + direct +
			" ]\n",
			"found http://a.example/b [2][]"},
		{"two leaves with direct sets", "names: << /URLS << /Kids [ 10 0 R 11 0 R ] >> >>\n" +
			"10 0 obj << /Limits [ (http://0.example/) (http://0.example/) ] " +
			"/Names [ (http://0.example/) << /S /SPS /O [ 7 0 R ] >> ] >>\n" +
			"11 0 obj << /Limits [ (http://a.example/b) (http://a.example/b) ] /Names [ (http://a.example/b) " +
			direct + " ] >>\n",
			"found http://a.example/b [2][]"},
		{"a null kid that a viewer does not meet", otherKid + page, "found http://a.example/b [2][]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, query := range []string{key, prefix} {
				checkAnswer(t, test.objects, query, test.want)
			}
		})
	}
}

// Each set with a URL or a key that begins with the prefix is one match, with the best answer and the first of its keys
// that has it.
func TestPrefix(t *testing.T) {
	page := pageSet("(http://a.example/b)")
	const direct = "<< /S /SPS /O [ 7 0 R ] /SI << /AU (http://a.example/b) >> >>"
	twoURLs := "5 0 obj << /S /SPS /O [ 7 0 R ] " +
		"/SI [ << /AU (http://a.example/a) >> << /AU (http://a.example/b) >> ] >>\n"
	const other = "8 0 obj << /S /SIS /O [ ] /SI << /AU (http://z.example/) >> >>\n"
	nullKid := "names: << /URLS << /Kids [ 10 0 R null 11 0 R ] >> >>\n" +
		"10 0 obj << /Limits [ (http://a.example/b) (http://a.example/b) ] /Names [ (http://a.example/b) " + direct +
		" ] >>\n" +
		"11 0 obj << /Limits [ (http://z.example/) (http://z.example/) ] /Names [ (http://z.example/) null ] >>\n"
	for _, test := range []struct{ name, objects, query, want string }{
		{"second URL", trees("(http://a.example/b) 5 0 R", "") + twoURLs, "http://a.example/*",
			"found http://a.example/a [2][]"},
		{"two keys", trees("(http://a.example/b) 5 0 R (http://a.example/c) 5 0 R", "") + bareSet, "http://a.example/*",
			"found http://a.example/b [2][]"},
		{"two keys, out of order", trees("(http://a.example/b) 5 0 R (http://a.example/c) 5 0 R"+outOfOrder+outOfOrder,
			"") + bareSet,
			"http://a.example/*", "missed http://a.example/b [2][]"},
		{"second key", trees("(http://a.example/a) 5 0 R (http://a.example/b) 5 0 R", "") + page, "http://a.example/*",
			"found http://a.example/b [2][]"},
		{"URL and a key that differs", trees("(http://a.example/a) 5 0 R", "") + page, "http://a.example/*",
			"missed http://a.example/b [2][]"},
		{"key leads to another set", trees("(http://a.example/b) 8 0 R (http://b.example/) 5 0 R", "") + page + other,
			"http://a.example/b*", "missed http://a.example/b [2][]\nother capture http://z.example/ [][]"},
		{"key leads to an unreadable object", trees("(http://a.example/b) 9 0 R (http://b.example/) 5 0 R", "") + page +
			"9 0 obj 9 0 R\n", "http://a.example/b*", "missed http://a.example/b [2][]"},
		{"key of another capture, out of order", trees("(http://a.example/b) 8 0 R"+outOfOrder, "") + other,
			"http://a.example/*", ""},
		{"set in IDS only", trees("", id+" 5 0 R") + page, "http://a.example/*", "missed http://a.example/b [2][]"},
		{"no URLS", "names: << /IDS << /Names [ " + id + " 5 0 R ] >> >>\n" + page, "http://a.example/*",
			"missed http://a.example/b [2][]"},
		{"direct set in IDS only", trees("(http://a.example/b) null", id+" "+direct), "http://a.example/*",
			"missed http://a.example/b [2][]"},
		{"direct set in an array in IDS only", trees("(http://a.example/b) [ null ]", id+" [ "+direct+" ]"),
			"http://a.example/*",
			"missed http://a.example/b [2][]"},
		{"direct set under another key", trees("(http://a.example/a) "+direct+" (http://a.example/b) null", ""),
			"http://a.example/*",
			"missed http://a.example/b [2][]"},
		{"direct set behind a null kid", nullKid, "http://a.example/*", "missed http://a.example/b [2][]"},
		{"direct set without a URL",
			trees("(http://a.example/b) << /S /SPS /O [ 7 0 R ] >> (http://b.example/) << /S /SPS /O [ 6 0 R ] >>", ""),
			"http://a.example/*", "found http://a.example/b [2][]"},
		{"ID in letters that are a URL", trees("", "<687474703a2f2f612e6578616d706c65> 5 0 R") + bareSet,
			"http://a.example*", ""},
		{"redirect", trees("(http://z.example/) 5 0 R", "") +
			pageSet("<< /U (http://z.example/) /C [ [ (http://a.example/b) ] ] >>"),
			"http://a.example/*", ""},
		{"longer host", trees("(http://a.example.org/) 5 0 R", "") + pageSet("(http://a.example.org/)"),
			"http://a.example*",
			"found http://a.example.org/ [2][]"},
		{"host with a slash", trees("(http://a.example.org/) 5 0 R", "") + pageSet("(http://a.example.org/)"),
			"http://a.example/*", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := strings.Join(answersOf(t, pages+test.objects, test.query), "\n")
			if got = strings.ReplaceAll(got, test.query+": ", ""); got != test.want {
				t.Errorf("answers are %q, want %q", got, test.want)
			}
		})
	}
}

// A prefix that is itself a key also finds the longer keys, and several prefixes find the same set.
func TestPrefixes(t *testing.T) {
	objects := pages + trees("(http://a.example/b) 5 0 R (http://a.example/bc) 8 0 R", "") +
		pageSet("(http://a.example/b)") +
		"8 0 obj << /S /SIS /O [ ] /SI << /AU (http://a.example/bc) >> >>\n"
	got := answersOf(t, objects, "http://a.example/b*", "http://a.example/bc*", "http://a*")
	want := []string{
		"http://a.example/b*: found http://a.example/b [2][]", "http://a.example/b*: found http://a.example/bc [][]",
		"http://a.example/bc*: found http://a.example/bc [][]",
		"http://a*: found http://a.example/b [2][]", "http://a*: found http://a.example/bc [][]",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("answers are %q, want %q", got, want)
	}
}
