package source

import (
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// URLs in one line are alike; URLs in different lines are not.
var alikeURLs = [][]string{
	{"http://h.example/a", "https://h.example/a", "http://h.example/a/", "HTTPS://H.example:443/./%61/?",
		"http://h.example/%61?"},
	{"http://h.example/", "https://h.example", "http://h.example/?", "https://h.example:443?#x"},
	{"http://h.example/~me", "http://h.example/%7Eme", "http://h.example/%7eme", "http://h.example/x/%2E%2E/~me"},
	{"http://h.example/a%2fb", "http://h.example/a/b", "http://h.example/a//b"},
	{"http://h.example/A"},
	{"http://h.example/(x)!*'", "http://h.example/%28x%29%21%2a%27", "https://h.example:443/(x)!*'/"},
	{"http://h.example./(x)!*'"},
	{"http://h.example/x,y", "http://h.example/x%2Cy"},
	{"file:///D:/a", "FILE:///D:/a/"},
	{"urn:X-a:b"},
	{"data:,x"},
	{"http://h.example/a?x=1", "https://h.example/a/?x=%31"},
	{"http://h.example/é", "http://h.example/%c3%a9"},
	{"http://h.example/\xe9", "http://h.example/%E9/"},
	{"http://h.example/%E2%82", "http://h.example/\xe2\x82"},
	{"http://bücher.example/x", "https://b%C3%BCcher.example/x"},
	{"http://xn--bcher-kva.example/x"},
	{"http://h.example:81/a", "https://h.example:81/a"},
	{"ftp://h.example/a", "ftp://h.example/%61/"},
	{"http://h.example/100%25"},
	{"http://h.example/%zz", "http://h.example/%zz/"},
	{"http://[::1]:81/a", "http://[::1]:81/%61"},
	{"http://\x80\xff/"},
	{"cid:a@b"},
	{""},
}

func TestAlike(t *testing.T) {
	seen := map[string]string{}
	for _, line := range alikeURLs {
		want := urlkey.Alike(line[0])
		for _, url := range line {
			if got := urlkey.Alike(url); got != want {
				t.Errorf("Alike(%q) = %q, want %q", url, got, want)
			}
			if got := urlkey.Alike(urlkey.Alike(url)); got != urlkey.Alike(url) {
				t.Errorf("Alike(%q) = %q, and of that %q", url, urlkey.Alike(url), got)
			}
			if got := urlkey.Alike(urlkey.Of(url)); got != urlkey.Alike(url) {
				t.Errorf("%q is not alike its canonical form", url)
			}
		}
		if other, ok := seen[want]; ok {
			t.Errorf("%q and %q are alike", line[0], other)
		}
		seen[want] = line[0]
	}
}

// looked returns the bodies that Find yields: "body", or "body?" if it is uncertain, and then how it was found.
func looked(t *testing.T, s Source, url string) (list []string) {
	t.Helper()
	for c, err := range Find(s, url) {
		if err != nil {
			t.Fatalf("Find(%q): %v", url, err)
		}
		text := sourcetest.MustRead(t, c)
		if c.Doubt != "" {
			text += "?"
		}
		if i := strings.LastIndex(c.Where, ", found "); i >= 0 {
			text += c.Where[i:]
		}
		list = append(list, text)
	}
	return list
}

// In every kind of source, Find also finds captures of alike URLs, says so, and marks them as uncertain. If there is a
// capture of the URL itself, Find yields only this one.
func TestFindAlikeInEveryKind(t *testing.T) {
	list := []sourcetest.Resource{
		{URL: "http://h.example/page/", MediaType: "text/html", Body: []byte("page")},
		{URL: "http://h.example/both", MediaType: "text/plain", Body: []byte("http")},
		{URL: "https://h.example:8443/~me.html?", MediaType: "text/html", Body: []byte("me")},
		{URL: "https://xn--bcher-kva.example/a.html", MediaType: "text/html", Body: []byte("book")},
	}
	for _, name := range sourcetest.Kinds() {
		path, err := sourcetest.Write(t.TempDir(), name, list)
		if err != nil {
			t.Fatal(err)
		}
		s := opened(t, "", path)
		for _, row := range []struct{ url, want, as string }{
			{"http://h.example/both", "http", ""},
			{"https://h.example/page", "page", "http://h.example/page/"},
			{"https://h.example/both?", "http", "http://h.example/both"},
			{"http://h.example:8443/%7eme.html", "me", "https://h.example:8443/~me.html?"},
			{"http://xn--bcher-kva.example/%61.html/", "book", "https://xn--bcher-kva.example/a.html"},
			{"http://h.example/else", "", ""},
		} {
			got := looked(t, s, row.url)
			switch {
			case row.want == "":
				if len(got) > 0 {
					t.Errorf("%s: %s: %q", name, row.url, got)
				}
			case row.as == "":
				if !slices.Equal(got, []string{row.want}) {
					t.Errorf("%s: %s: %q, want %q alone", name, row.url, got, row.want)
				}
			case name == "folder": // wget does not keep the scheme in names
			default:
				if want := row.want + "?, found as " + row.as; !slices.Equal(got, []string{want}) {
					t.Errorf("%s: %s: %q, want %q", name, row.url, got, want)
				}
			}
		}
	}
}

// If one source has a capture of the URL itself, Find yields no captures of alike URLs from other sources, unless this
// capture is uncertain.
func TestFindAlikeInOtherSources(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "exact", dir, "1")
	sourcetest.WriteFile(t, "alike", dir, "2")
	exact := opened(t, Folder, sourcetest.WriteFile(t, "http://h/a\t1\n", dir, "exact"))
	alike := opened(t, Folder, sourcetest.WriteFile(t, "https://h/a\t2\n", dir, "alike"))
	sourcetest.Equal(t, "both", looked(t, Join(alike, exact), "http://h/a"), []string{"exact"})
	sourcetest.Equal(t, "one", looked(t, alike, "http://h/a"), []string{"alike?, found as https://h/a"})
	uncertain := opened(t, HAR, sourcetest.WriteFile(t,
		`{"log": {"entries": [{"request": {"url": "http://h/a"}, "response": {"status": 200, "content": {"size": 9, `+
			`"text": "cut"}}}]}}`, dir, "x.har"))
	sourcetest.Equal(t, "uncertain", looked(t, Join(alike, uncertain), "http://h/a"),
		[]string{"cut?", "alike?, found as https://h/a"})
}

// The target of a redirect is certain only if the redirect is.
func TestFindAlikeRedirects(t *testing.T) {
	s := opened(t, HAR, sourcetest.WriteFile(t, strings.Join([]string{`{"log": {"entries": [`,
		`{"request": {"url": "http://h/from"}, "response": {"status": 302, "redirectURL": "/to", "content": {}}},`,
		`{"request": {"url": "http://h/to"}, "response": {"status": 200, "content": {"size": 5, "encoding": "base64", "text": "dGhlcmU="}}}`,
		`]}}`}, "\n"), t.TempDir(), "x.har"))
	sourcetest.Equal(t, "certain", looked(t, s, "http://h/from"), []string{"there"})
	sourcetest.Equal(t, "uncertain", looked(t, s, "https://h/from"), []string{"there?"})
}
