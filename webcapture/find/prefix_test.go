package find

import (
	"slices"
	"testing"
)

// A prefix finds what a query of the whole key finds: a viewer comes to the content set by any of its keys, and in any
// array.
func TestPrefixFindsWhatKeysFind(t *testing.T) {
	const bare = "5 0 obj << /S /SPS /ID " + id + " /O [ 7 0 R ] >>\n"
	twice := "5 0 obj << /S /SPS /ID " + id + " /O [ 7 0 R ] /SI [ << /AU (http://a.example/a) >> << /AU (http://a.example/b) >> ] >>\n"
	alias := pageSet("<< /U (http://z.example/) /C [ [ (http://a.example/b) ] ] >>")
	for _, test := range []struct{ name, objects, want string }{
		{"a set without a URL", trees("(http://a.example/b) 5 0 R", "") + bare, "found http://a.example/b [2][]"},
		{"second URL of the set", trees("(http://a.example/b) 5 0 R", "") + twice, "found http://a.example/a [2][]"},
		{"key of a redirect", trees("(http://a.example/b) 5 0 R", "") + alias, "found http://z.example/ [2][]"},
		{"array in URLS, set in IDS", trees("(http://a.example/b) [ null 5 0 R ]", id+" 5 0 R") + pageSet("(http://a.example/b)"),
			"found http://a.example/b [2][]"},
		{"arrays that share a set", trees("(http://a.example/a) 20 0 R (http://a.example/b) 21 0 R", "") + pageSet("(http://a.example/b)") +
			"20 0 obj [ null 5 0 R ]\n21 0 obj [ null 5 0 R ]\n", "found http://a.example/b [2][]"},
		{"direct set", trees("(http://a.example/b) << /S /SPS /O [ 7 0 R ] /SI << /AU (http://a.example/b) >> >>", ""),
			"found http://a.example/b [2][]"},
		{"direct set in an array", trees("(http://a.example/b) [ null << /S /SPS /O [ 7 0 R ] /SI << /AU (http://a.example/b) >> >> ]", ""),
			"found http://a.example/b [2][]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			const key, prefix = "http://a.example/b", "http://a.example/*"
			want := []string{key + ": " + test.want}
			if got := answersOf(t, pages+test.objects, key); test.name != "second URL of the set" && !slices.Equal(got, want) {
				t.Errorf("answers for the key are %q, want %q", got, want)
			}
			want = []string{prefix + ": " + test.want}
			if got := answersOf(t, pages+test.objects, prefix); !slices.Equal(got, want) {
				t.Errorf("answers for the prefix are %q, want %q", got, want)
			}
		})
	}
}
