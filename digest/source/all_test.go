package source

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// listed returns the results of All for a source, one line for each.
func listed(s Source) []string {
	var list []string
	for c, err := range All(s) {
		if err != nil {
			list = append(list, "error: "+err.Error())
			continue
		}
		line := fmt.Sprintf("%s %d %d", c.URL, c.Status, c.Size)
		if c.Revisit != "" {
			line += " revisit"
		}
		if c.Redirect != "" {
			line += " to " + c.Redirect
		}
		list = append(list, line)
	}
	return list
}

// TestAll: All yields all captures that Lookup finds, for every kind of source and in the same order each time.
func TestAll(t *testing.T) {
	list := []sourcetest.Resource{
		{URL: "http://h.example/b.html", MediaType: "text/html", Body: []byte("<p>one")},
		{URL: "http://h.example/c.css", MediaType: "text/css", Body: []byte("p {}")},
		{URL: "http://g.example/a.html", MediaType: "text/html", Body: []byte("")},
	}
	for _, name := range sourcetest.Kinds() {
		t.Run(name, func(t *testing.T) {
			path, err := sourcetest.Write(t.TempDir(), name, list)
			if err != nil {
				t.Fatal(err)
			}
			s := opened(t, "", path)
			var urls []string
			for c, err := range All(s) {
				if err != nil {
					t.Fatal(err)
				}
				urls = append(urls, c.URL)
				again := sourcetest.LookupOne(t, s, c.URL)
				if c.Where != again.Where || c.MediaType != again.MediaType || c.Status != again.Status ||
					c.Size != again.Size || c.Uncertain != again.Uncertain {
					t.Errorf("All yields %+v, Lookup %+v", c, again)
				}
				if body := sourcetest.MustRead(t, c.Bodies[0]); body != sourcetest.MustRead(t, again.Bodies[0]) ||
					c.Size >= 0 && c.Size != int64(len(body)) {
					t.Errorf("%s: the size is %d, the data are %q", c.URL, c.Size, body)
				}
			}
			var want []string
			for _, r := range list {
				want = append(want, r.URL)
			}
			if name == "folder" || name == "wwwoffle" { // these are in the order of names
				slices.Sort(want)
			}
			if name == "wwwoffle" {
				slices.Sort(urls[1:]) // and these names are digests
			}
			sourcetest.Equal(t, "URLs", urls, want)
			sourcetest.Equal(t, "the second time", listed(s), listed(s))
			for range All(Join(s, s)) {
				break // nothing panics
			}
			if n := len(listed(Join(s, s))); n != 2*len(list) {
				t.Errorf("of two sources %d things are listed, want %d", n, 2*len(list))
			}
		})
	}
}

// TestAllOfWARC: All yields redirects, error responses, and revisits, and an error for an unreadable capture.
func TestAllOfWARC(t *testing.T) {
	s := openBytes(t, "x.warc", []byte(strings.Join([]string{
		sourcetest.PageRecord("http://h/z", "gone", "WARC-Record-ID: <urn:1>"),
		sourcetest.WARCRecord("response", "http://h/y", sourcetest.Reply("302 Found", "", "Location: /z"),
			"Content-Type: application/http"),
		sourcetest.WARCRecord("response", "http://h/x", sourcetest.Reply("404 Not Found", "no"),
			"Content-Type: application/http"),
		sourcetest.WARCRecord("revisit", "http://h/w", "", "WARC-Refers-To: <urn:1>"),
		sourcetest.WARCRecord("revisit", "http://h/v", "", "WARC-Refers-To: <urn:2>"),
		sourcetest.WARCRecord("request", "http://h/u", "GET / HTTP/1.1\r\n\r\n", "Content-Type: application/http"),
		sourcetest.WARCRecord("resource", "http://h/t", "as it is", "Content-Type: text/plain"),
	}, "")))
	got := listed(s)
	if i := slices.IndexFunc(got, func(l string) bool { return strings.HasPrefix(l, "error: ") }); i >= 0 {
		_, reason, _ := strings.Cut(got[i], ", byte ")
		got[i] = "error: " + strings.TrimLeft(reason, "0123456789:")
	}
	sourcetest.Equal(t, "list", got, []string{
		"http://h/z 200 4", "http://h/y 302 0 to /z", "http://h/x 404 2", "http://h/w 200 4 revisit",
		"error:  a revisit of a record that is not in any source", "http://h/t 0 8",
	})
}

// TestAllOfEveryPacking: the records of files with any compression are listed in order, and can still be read after
// All has ended.
func TestAllOfEveryPacking(t *testing.T) {
	for _, packing := range sourcetest.Packings {
		dir := t.TempDir()
		for _, host := range []string{"http://a/", "http://b/"} {
			records := []string{sourcetest.PageRecord(host+"1", "one"),
				sourcetest.PageRecord(host+"2", strings.Repeat("two", 50_000)),
				sourcetest.PageRecord(host+"3", "three")}
			sourcetest.WriteFile(t, string(packing.Pack(records)), dir, host[len("http://"):], "x.warc")
		}
		var urls, bodies []string
		var list []*Candidate
		for c, err := range All(opened(t, "", dir)) {
			if err != nil {
				t.Fatal(packing.Name, err)
			}
			list = append(list, c)
		}
		for _, c := range list {
			urls, bodies = append(urls, c.URL), append(bodies, sourcetest.MustRead(t, c.Bodies[0])[:3])
		}
		sourcetest.Equal(t, packing.Name, urls,
			[]string{"http://a/1", "http://a/2", "http://a/3", "http://b/1", "http://b/2", "http://b/3"})
		sourcetest.Equal(t, packing.Name, bodies, []string{"one", "two", "thr", "one", "two", "thr"})
	}
}

// TestAllOfFolderWithOriginals: an original file that wget has kept has the same URL as the changed file.
func TestAllOfFolderWithOriginals(t *testing.T) {
	dir := t.TempDir()
	sourcetest.WriteFile(t, "changed", dir, "h.example", "a.html")
	sourcetest.WriteFile(t, "was", dir, "h.example", "a.html.orig")
	var got []string
	for c, err := range All(opened(t, Folder, dir)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %v %s", c.URL, c.Uncertain, sourcetest.MustRead(t, c.Bodies[0])))
	}
	sourcetest.Equal(t, "list", got,
		[]string{"http://h.example/a.html true changed", "http://h.example/a.html false was"})
}

// TestAllOfCompressedSpool: the size of a compressed file in a cache of WWWOFFLE is unknown.
func TestAllOfCompressedSpool(t *testing.T) {
	dir := t.TempDir()
	sourcetest.StorePage(t, dir, "http/h.example", "http://h.example/",
		"HTTP/1.0 200 OK\r\nPragma: wwwoffle-compressed\r\nContent-Encoding: x-gzip\r\n\r\n"+
			string(sourcetest.Gzip("text")))
	sourcetest.Equal(t, "list", listed(opened(t, WWWOFFLE, dir)), []string{"http://h.example/ 200 -1"})
}

// TestAllOfAnother: All yields an error for a source that cannot list its captures.
func TestAllOfAnother(t *testing.T) {
	if got := listed(Join(failingSource{errors.New("bad")}, manyCaptures(1))); len(got) != 2 ||
		!strings.HasPrefix(got[0], "error: ") {
		t.Errorf("All yields %q", got)
	}
}
