package rewrite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/nametree"
	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestTranscodedURLs: where a key of URLS and the URL of its content set are not the same
// encoding of one string, the key becomes the URL if that is older, and stays otherwise; in
// each case there is nothing left for a second plan, and nothing more for a second audit.
func TestTranscodedURLs(t *testing.T) {
	const (
		latin, inUTF8 = "http://b/\xe9", "http://b/\u00e9"
		encoded       = "http://b/%C3%A9"
		// Two bytes of a URL in Shift JIS, taken for PDFDocEncoding and for Latin-1.
		asPDFDoc, asLatin = "http://b/\u2021\u20ac", "http://b/\u0082\u00a0"
		idB               = "\xb0\xb1\xb2\xb3\xb4\xb5\xb6\xb7\xb8\xb9\xba\xbb\xbc\xbd\xbe\xbf"
	)
	big, little := func(s string) string { return "\xfe\xff" + units(s, 0, 8) },
		func(s string) string { return units(s, 8, 0) }
	ids, _ := audit.Lookup("WC303")
	for name, c := range map[string]struct {
		keyA, urlA string // of a content set whose key comes first
		key, url   string
		idKey      string // of the second set
		opt        Options
		want       string // the key
		follows    string // the rule that finds more
	}{
		"the URL is older":                    {key: inUTF8, url: latin, want: latin},
		"the URL is older, and not canonical": {key: "HTTP://b/\u00e9", url: "HTTP://b/\xe9", want: latin},
		"the key is older":                    {key: latin, url: inUTF8, want: latin},
		"the key is older, the URL is UTF-16": {key: latin, url: big(latin), want: latin},
		"the key is older, it has no mark":    {key: latin, url: little(latin), want: latin},
		"nothing tells which":                 {key: asPDFDoc, url: asLatin, want: asPDFDoc},
		"a key of IDS tells": {key: asPDFDoc, url: asLatin, idKey: string(latin1(idB)),
			want: asLatin},
		"a key of IDS of another encoding": {key: asPDFDoc, url: asLatin, idKey: big(idB), want: asPDFDoc},
		"a key of IDS tells no more": {key: asPDFDoc, url: asLatin, idKey: string(latin1(idB)),
			opt: Options{Rules: []*rule.Rule{ids}}, want: asPDFDoc, follows: "WC221"},
		"another key of URLS tells": {keyA: "http://a/\u00e9", urlA: "http://a/\xe9", key: asPDFDoc,
			url: asLatin, want: asLatin},
		"another URL was written anew": {keyA: "http://a/\xe9", urlA: "http://a/\u00e9", key: asPDFDoc,
			url: asLatin, want: asPDFDoc},
		"a key in UTF-16 of a URL in Latin-1": {key: big(latin), url: latin, want: latin, follows: "WC201"},
		"a key in UTF-16 of a URL in UTF-8":   {key: little(latin), url: inUTF8, want: inUTF8, follows: "WC201"},
		"a key in UTF-16, and a URL made of it": {key: big(latin), url: string(latin1(big(latin))), want: encoded,
			follows: "WC221"},
		"a key in UTF-16 of an encoded URL":    {key: big(latin), url: encoded, want: encoded},
		"key and URL in UTF-16":                {key: big(latin), url: big(latin), want: encoded},
		"key and URL in UTF-16 of two kinds":   {key: big(latin), url: little(latin), want: encoded},
		"a key in UTF-16, and a URL without é": {key: big("http://b/"), url: little("http://b/"), want: "http://b/"},
		"key and URL in UTF-16, with --canonical-sources": {key: big(latin), url: little(latin), opt: Options{Sources: true},
			want: encoded},
	} {
		t.Run(name, func(t *testing.T) {
			if c.keyA == "" {
				c.keyA, c.urlA = "http://a/0", "http://a/0"
			}
			if c.idKey == "" {
				c.idKey = idB
			}
			hex := webcapturetest.Hex[string]
			data := pdf(t, fmt.Sprintf("names: << /URLS << /Names [ %s 20 0 R %s 21 0 R ] >> /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 20 0 R %s 21 0 R ] >> >>\n%s%s%s",
				hex(c.keyA), hex(c.key), hex(c.idKey), info, strings.Replace(setA, "(http://a/0)", hex(c.urlA), 1),
				strings.Replace(setB, "(http://a/0)", hex(c.url), 1)))
			p := planOf(t, data, c.opt)
			out := carryOut(t, p)
			if got := keyOf(t, out, "21 0 R"); got != nametree.Key(c.want) {
				t.Errorf("the key is %v, expected %v; steps:\n%s", got, nametree.Key(c.want), describe(p))
			}
			if again := planOf(t, out, c.opt); !again.Empty() {
				t.Errorf("left for a second time:\n%s", describe(again))
			}
			if mends := c.key != c.want || c.idKey != idB; p.Empty() == mends {
				t.Errorf("the plan is\n%s", describe(p))
			}
			before, after := faultsFound(t, data), faultsFound(t, out)
			for id, n := range after {
				t.Run(id, func(t *testing.T) {
					if n > before[id] && id != c.follows {
						t.Errorf("%s is found %d times, before %d times", id, n, before[id])
					}
				})
			}
		})
	}
}

// keyOf returns the key of URLS that leads to a content set.
func keyOf(t *testing.T, data []byte, set string) nametree.Key {
	t.Helper()
	db, err := opened(t, data, Options{}).Database()
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range db.Tree(webcapture.URLS).Entries() {
		if ref, _ := e.Value.Ref(); ref.String() == set {
			return e.Key
		}
	}
	return ""
}
