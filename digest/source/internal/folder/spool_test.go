package folder

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

const ok = "HTTP/1.0 200 OK\r\n\r\n"

// urls returns the URLs that an iterator yields. For an error, it returns "error".
func urls(seq func(func(*capture.Candidate, error) bool)) (list []string) {
	for c, err := range seq {
		if err != nil {
			list = append(list, "error")
		} else {
			list = append(list, c.URL)
		}
	}
	return list
}

// A look-up yields the forms of the URL, or else other URLs that are alike.
func TestSpoolLookups(t *testing.T) {
	dir := t.TempDir()
	for _, url := range []string{"http://h/a", "http://h/a/", "https://h/a", "http://h/b", "http://h/c?"} {
		sourcetest.StorePage(t, dir, "", url, ok)
	}
	s := openedSpool(t, dir)
	for _, row := range []struct {
		url  string
		want []string
	}{
		{"http://h/a", []string{"http://h/a"}}, {"http://h/a/", []string{"http://h/a/"}},
		{"http://h/b/", []string{"http://h/b"}}, {"http://h/d", nil},
		{"https://h/a/", []string{"http://h/a", "http://h/a/", "https://h/a"}},
	} {
		t.Run(row.url, func(t *testing.T) {
			got := urls(s.Lookup(row.url))
			slices.Sort(got)
			sourcetest.Equal(t, "Lookup", got, row.want)
		})
	}
}

// A candidate has the properties of the response in its D file. The size is unknown if WWWOFFLE compressed the body.
func TestCandidate(t *testing.T) {
	packed := string(sourcetest.Gzip("body"))
	dir := t.TempDir()
	for url, reply := range map[string]string{
		"http://h/page": "HTTP/1.0 200 OK\nContent-Type: text/html\nDate: Mon, 01 Jan 2024 00:00:00 GMT\n\nbody",
		"http://h/lost": "HTTP/1.0 404 Not Found\n\nbody!",
		"http://h/old":  "HTTP/1.0 301 Moved\nLocation: /page\n\nsee there",
		"http://h/own":  "HTTP/1.0 200 OK\nContent-Encoding: gzip\nPragma: wwwoffle-compressed\n\n" + packed,
		"http://h/gzip": "HTTP/1.0 200 OK\nContent-Encoding: gzip\nPragma: no-cache\n\n" + packed,
		"http://h/note": "HTTP/1.0 200 OK\nContent-Encoding: gzip\nX-Note: wwwoffle-compressed\n\n" + packed,
	} {
		sourcetest.StorePage(t, dir, "", url, reply)
	}
	s := openedSpool(t, dir)
	for url, want := range map[string]string{
		"http://h/page": `200 "text/html", 4 bytes, stored "body", on 2024-01-01`,
		"http://h/lost": `404 "", 5 bytes, stored "body!", doubtful`,
		"http://h/old":  `301 "", 9 bytes, to /page`,
		"http://h/own":  fmt.Sprintf(`200 "", %d bytes, stored %q, decoded "body"`, len(packed), packed),
		"http://h/gzip": fmt.Sprintf(`200 "", %d bytes, stored %q, decoded "body"`, len(packed), packed),
		"http://h/note": fmt.Sprintf(`200 "", %d bytes, stored %q, decoded "body"`, len(packed), packed),
	} {
		t.Run(url, func(t *testing.T) {
			c := sourcetest.LookupOne(t, s, url)
			got := fmt.Sprintf("%d %q, %d bytes", c.Status, c.MediaType, c.Size)
			for _, form := range sourcetest.ReadForms(c) {
				got += ", " + form
			}
			if c.Doubt != "" {
				got += ", doubtful"
			}
			if c.Redirect != "" {
				got += ", to " + c.Redirect
			}
			if !c.Time.IsZero() {
				got += ", on " + c.Time.Format(time.DateOnly)
			}
			if got != want || c.URL != url {
				t.Errorf("%s: %s, want %s", c.URL, got, want)
			}
		})
	}
}
