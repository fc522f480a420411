package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// listed returns the results of All for a source, one line for each.
func listed(s Source) []string {
	var list []string
	for c, err := range s.All {
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
			for c, err := range s.All {
				if err != nil {
					t.Fatal(err)
				}
				urls = append(urls, c.URL)
				again := sourcetest.LookupOne(t, s, c.URL)
				if c.Where != again.Where || c.MediaType != again.MediaType || c.Status != again.Status ||
					c.Size != again.Size || c.Doubt != again.Doubt {
					t.Errorf("All yields %+v, Lookup %+v", c, again)
				}
				if body := sourcetest.MustRead(t, c); body != sourcetest.MustRead(t, again) ||
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
			for range Join(s, s).All {
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
		sourcetest.PageRecord("http://h/z", "gone", "WARC-Payload-Digest: sha1:ONE"),
		sourcetest.WARCRecord("response", "http://h/y", sourcetest.Reply("302 Found", "", "Location: /z"),
			"Content-Type: application/http"),
		sourcetest.WARCRecord("response", "http://h/x", sourcetest.Reply("404 Not Found", "no"),
			"Content-Type: application/http"),
		sourcetest.WARCRecord("revisit", "http://h/w", "", "WARC-Payload-Digest: sha1:ONE"),
		sourcetest.WARCRecord("revisit", "http://h/v", "", "WARC-Payload-Digest: sha1:TWO"),
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
		"error:  a revisit of a record that no source has as a capture", "http://h/t 0 8",
	})
}
