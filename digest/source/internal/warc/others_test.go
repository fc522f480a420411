package warc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestPartsInOtherArchives: the original of a revisit and the segments of a record may be in another archive.
func TestPartsInOtherArchives(t *testing.T) {
	first := sourcetest.WARCRecord("resource", "http://a/", "one ", "WARC-Record-ID: <urn:1>", "WARC-Segment-Number: 1")
	second := sourcetest.WARCRecord("continuation", "http://a/", "two", "WARC-Segment-Origin-ID: <urn:1>",
		"WARC-Segment-Number: 2", "WARC-Segment-Total-Length: 7")
	original := sourcetest.WARCRecord("resource", "http://o/", "one two", "WARC-Record-ID: <urn:2>")
	unrelated := sourcetest.PageRecord("http://x/", "x")
	for _, row := range []struct{ name, here, there string }{
		{"a segment", first, second}, {"the original of a revisit", revisitOf("http://a/", "urn:2"), original},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(row.here+unrelated))
			others := capture.Join(s, openBytes(t, "x.warc", []byte(unrelated)), openBytes(t, "b.warc", []byte(row.there)))
			n := 0
			for c, err := range others.Lookup("http://a/") {
				if n++; err != nil {
					t.Fatal(err)
				}
				if got := sourcetest.MustRead(t, c); got != "one two" {
					t.Errorf("%q", got)
				}
			}
			if n != 1 {
				t.Errorf("%d captures", n)
			}
		})
	}
}

// TestMaxOriginals: of records that may be the original of a revisit, 16 are read.
func TestMaxOriginals(t *testing.T) {
	for decoys, found := range map[int]bool{15: true, 16: false} {
		t.Run(fmt.Sprint(decoys), func(t *testing.T) {
			const date = "WARC-Date: 2020-01-02T03:04:05Z"
			data := strings.Repeat(sourcetest.PageRecord("https://a/", "x", date), decoys) +
				sourcetest.PageRecord("http://a/", "body", date) + sourcetest.WARCRecord("revisit", "http://b/", "",
				"WARC-Refers-To-Target-URI: http://a/", "WARC-Refers-To-Date: 2020-01-02T03:04:05Z")
			for c, err := range openBytes(t, "a.warc", []byte(data)).Lookup("http://b/") {
				if (err == nil) != found {
					t.Errorf("%+v, %v", c, err)
				}
			}
		})
	}
}

// TestMaxSegments: a record of more than 1025 segments is not joined.
func TestMaxSegments(t *testing.T) {
	for n, want := range map[int]bool{1025: true, 1026: false} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			var b strings.Builder
			b.WriteString(sourcetest.WARCRecord("resource", "http://a/", "x", "WARC-Record-ID: <urn:1>",
				"WARC-Segment-Number: 1"))
			for i := 2; i <= n; i++ {
				b.WriteString(sourcetest.WARCRecord("continuation", "http://a/", "x", "WARC-Segment-Origin-ID: <urn:1>",
					fmt.Sprintf("WARC-Segment-Number: %d", i), fmt.Sprintf("WARC-Segment-Total-Length: %d", n)))
			}
			for c, err := range openBytes(t, "a.warc", []byte(b.String())).Lookup("http://a/") {
				if (err == nil) != want || err == nil && c.Size != int64(n) {
					t.Errorf("%+v, %v", c, err)
				}
			}
		})
	}
}

// TestReplyInResource: a resource whose block looks like a response has the body of that response, with a doubt.
func TestReplyInResource(t *testing.T) {
	block := sourcetest.Reply("200 OK", string(sourcetest.Gzip("the body")), "Content-Encoding: gzip")
	s := openBytes(t, "a.warc", []byte(sourcetest.WARCRecord("resource", "http://a/", block, "Content-Type: text/html")))
	c := sourcetest.LookupOne(t, s, "http://a/")
	if got := sourcetest.MustRead(t, c); got != "the body" || c.Doubt != "the record does not declare the reply in it" {
		t.Errorf("%q, doubt %q", got, c.Doubt)
	}
}

// TestURLWithoutScheme: a target without a scheme is tried with http, and is doubtful.
func TestURLWithoutScheme(t *testing.T) {
	s := openBytes(t, "a.warc", []byte(sourcetest.WARCRecord("resource", "h.example/a.gif", "GIF89a",
		"Content-Type: image/gif")+
		sourcetest.WARCRecord("resource", "/a.gif", "x")))
	c := sourcetest.LookupOne(t, s, "http://h.example/a.gif")
	if got := sourcetest.MustRead(t, c); got != "GIF89a" || c.Doubt != "the URL of the record has no scheme" {
		t.Errorf("%q, doubt %q", got, c.Doubt)
	}
	if got := sourcetest.SkipLine(s); got != "1 a reply without a URL" {
		t.Errorf("skipped %s", got)
	}
}

// TestManyFirstSegments: first segments with one identifier do not read all further segments again and again.
func TestManyFirstSegments(t *testing.T) {
	for n, want := range map[int]bool{maxCopies: true, maxCopies + 1: false, 30_000: false} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			first := sourcetest.WARCRecord("resource", "http://a/", "x", "WARC-Record-ID: <urn:1>", "WARC-Segment-Number: 1")
			var b strings.Builder
			b.WriteString(strings.Repeat(first, n))
			for i := range maxSegments {
				b.WriteString(sourcetest.WARCRecord("continuation", "http://a/", "x", "WARC-Segment-Origin-ID: <urn:1>",
					fmt.Sprintf("WARC-Segment-Number: %d", i+2), fmt.Sprintf("WARC-Segment-Total-Length: %d", maxSegments+1)))
			}
			whole := 0
			for c, err := range capture.All(openBytes(t, "a.warc", []byte(b.String()))) {
				if err == nil && c.Size == maxSegments+1 {
					whole++
				}
			}
			if (whole == n) != want || !want && whole > 0 {
				t.Errorf("%d of %d records are joined", whole, n)
			}
		})
	}
}
