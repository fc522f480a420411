package warc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestReplyInResource: a resource whose block looks like a response is doubtful.
func TestReplyInResource(t *testing.T) {
	block := sourcetest.Reply("200 OK", string(sourcetest.Gzip("the body")), "Content-Encoding: gzip")
	s := openBytes(t, "a.warc", []byte(sourcetest.WARCRecord("resource", "http://a/", block, "Content-Type: text/html")))
	c := sourcetest.LookupOne(t, s, "http://a/")
	if got := sourcetest.MustRead(t, c); got != block {
		t.Errorf("%q", got)
	}
	if got := sourcetest.MustSum(t, c).Doubt; got != "the body begins with the header of a reply" {
		t.Errorf("doubt %q", got)
	}
}

// TestURLWithoutScheme: a URL without a scheme, as warcit writes it, may be that of http. It is never certain.
func TestURLWithoutScheme(t *testing.T) {
	for url, want := range map[string]string{"www.example.com/a.gif": "http://www.example.com/a.gif",
		"h.example:8080/": "http://h.example:8080/", "h.example": "", "folder/a.gif": "", "../a.b/c": ""} {
		t.Run(url, func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(sourcetest.WARCRecord("resource", url, "GIF89a, a", "Content-Type: image/gif")))
			if want == "" {
				sourcetest.Equal(t, "skipped", sourcetest.SkipList(s), []string{"1 × a reply without a URL"})
				return
			}
			c := sourcetest.LookupOne(t, s, want)
			if c.URL != want || sourcetest.MustSum(t, c).Doubt != "the URL of the record has no scheme" {
				t.Errorf("%+v", c)
			}
		})
	}
}

// TestDoubtOfTheWay: a record without a scheme, or whose end is doubtful, is also in doubt if it is a redirect, or a
// revisit of a certain record.
func TestDoubtOfTheWay(t *testing.T) {
	original := sourcetest.WARCRecord("response", "http://b.example/", sourcetest.Reply("200 OK", "the body"),
		"WARC-Date: 2024-01-02T10:00:00Z", "WARC-Payload-Digest: sha1:X", "Content-Type: application/http")
	for name, block := range map[string]string{
		"redirect": sourcetest.Reply("301 Moved", "", "Location: http://b.example/"),
		"revisit":  "HTTP/1.1 200 OK\r\n\r\n",
	} {
		kind := map[string]string{"redirect": "response", "revisit": "revisit"}[name]
		record := func(url string) string {
			return sourcetest.WARCRecord(kind, url, block, "WARC-Date: 2024-01-02T10:00:00Z",
				"WARC-Payload-Digest: sha1:X", "Content-Type: application/http")
		}
		for want, data := range map[string]string{
			"the URL of the record has no scheme":            record("a.example/"),
			"the source is damaged: the record may be wrong": strings.TrimSuffix(record("http://a.example/"), "\r\n"),
		} {
			t.Run(name+"/"+want, func(t *testing.T) {
				c := sourcetest.LookupOne(t, openBytes(t, "a.warc", []byte(data+original)), "http://a.example/")
				if c.Doubt != want {
					t.Errorf("%q, want %q", c.Doubt, want)
				}
			})
		}
	}
}

// TestScanOverBudget: the records before the budget is exceeded are found, and the rest of the file counts as unread.
func TestScanOverBudget(t *testing.T) {
	one, two := sourcetest.PageRecord("http://a/1", "one"), sourcetest.PageRecord("http://a/2", strings.Repeat("x", 1<<20))
	for name, data := range map[string]string{"plain": one + two, "gzip": string(sourcetest.Gzip(one)) +
		string(sourcetest.Gzip(two)), "memory": one + strings.Repeat(sourcetest.PageRecord("http://a/3", "three"), 3)} {
		t.Run(name, func(t *testing.T) {
			p := New(sourcetest.ArchiveFile(t, "a.warc", []byte(data)))
			p.meter = meter.New(p.Size)
			p.meter.Limit(1<<19, 1<<10)
			if name == "memory" {
				p.meter.Limit(1<<30, 100)
			}
			s, err := capture.Open([]capture.File{p}, &capture.Stats{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { s.Close() })
			sourcetest.ExpectLookup(t, s, "http://a/1", "http://a/1 (text/html) stored \"one\"\n")
			want := fmt.Sprintf("read in part: %v: %v", meter.Over{}, p)
			if got := s.Stats().Skipped; len(got) != 1 || got[0].String() != want || !s.Stats().Lost {
				t.Errorf("skipped %v, want %s", got, want)
			}
		})
	}
}
