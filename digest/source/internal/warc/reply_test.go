package warc

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// replyOf returns the header of a response with these fields, each as "Name: value".
func replyOf(status int, fields ...string) *body.Header {
	h := &body.Header{Status: status, Fields: http.Header{}}
	for _, f := range fields {
		name, value, _ := strings.Cut(f, ": ")
		h.Fields.Add(name, value)
	}
	return h
}

// TestWholeRanges: a partial response is usable if its range is the whole file (RFC 9110, 14.4).
func TestWholeRanges(t *testing.T) {
	for _, row := range []struct {
		status int
		fields string
		size   int64
		want   bool
	}{
		{206, "Content-Range: bytes 0-9/10", 10, true},
		{206, "Content-Range: Bytes 0-9/10", 11, true},
		{206, "Content-Range: bytes 0-9/10", 9, false},
		{206, "Content-Range: bytes 0-9/10|Content-Encoding: gzip", 5, true},
		{206, "Content-Range: bytes 1-9/10", 10, false},
		{206, "Content-Range: bytes 0-8/10", 10, false},
		{206, "Content-Range: bytes 0-9/*", 10, false},
		{206, "Content-Range: items 0-9/10", 10, false},
		{206, "", 10, false},
	} {
		t.Run(fmt.Sprint(row), func(t *testing.T) {
			h := replyOf(row.status, strings.Split(row.fields, "|")...)
			if got := isWholeRange(h, row.size); got != row.want {
				t.Errorf("whole: %v", got)
			}
			if got := unusableOf(h, row.size); (got == "") != row.want {
				t.Errorf("unusable: %q", got)
			}
		})
	}
}

// TestDoubts: why the body of a record may differ from the retrieved body.
func TestDoubts(t *testing.T) {
	const empty = "the body is empty, but the header does not say so"
	for _, row := range []struct {
		name   string
		header *body.Header
		length int64
		status int
		want   string
	}{
		{"a response", replyOf(200), 9, 200, ""},
		{"a resource", nil, 9, 200, ""},
		{"an empty response", replyOf(200), 0, 200, empty},
		{"an empty resource", nil, 0, 200, empty},
		{"a response that declares nothing", replyOf(200, "Content-Length: 0"), 0, 200, ""},
		{"an empty response that declares something", replyOf(200, "Content-Length: 1"), 0, 200, empty},
		{"a response without content", replyOf(http.StatusNoContent, "Content-Length: 0"), 0, 204, empty},
		{"another status", replyOf(404), 9, 404, "the status of the reply is 404, not 200"},
		{"a range", replyOf(200, "Content-Range: bytes 0-1/2"), 9, 200,
			"the reply has a Content-Range, but not status 206"},
		{"a range of a partial response", replyOf(206, "Content-Range: bytes 0-1/2"), 9, 206, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := &storedRecord{header: row.header}
			s.length = row.length
			if row.header != nil {
				s.length += row.header.Size
			}
			if got := s.doubt(row.status); got != row.want {
				t.Errorf("%v, want %v", got, row.want)
			}
		})
	}
}

// revisitOf returns a revisit record of http://a/ that refers to a date.
func revisitOf(url, date string, fields ...string) string {
	return sourcetest.WARCRecord("revisit", url, "", append(fields, "WARC-Refers-To-Target-URI: HTTP://A:80/",
		"WARC-Refers-To-Date: "+date)...)
}

// TestDoubtsOfRevisits: what connects a revisit with its original, and why the original may be another file.
func TestDoubtsOfRevisits(t *testing.T) {
	const date = "2020-01-02T03:04:05Z"
	original := sourcetest.PageRecord("http://a/", "body", "WARC-Payload-Digest: sha1:ONE",
		"WARC-Date: 2020-01-02T03:04:05.5Z")
	for _, row := range []struct {
		name, revisit string
		doubt         string // "none" for a revisit without original
	}{
		{"by URL and date", revisitOf("http://b/", date), ""},
		{"with the digest", revisitOf("http://b/", date, "WARC-Payload-Digest: ONE"), ""},
		{"with another digest", revisitOf("http://b/", date, "WARC-Payload-Digest: sha1:TWO"), doubtPayload},
		{"with another profile", revisitOf("http://b/", date, "WARC-Profile: http://x/y"), doubtProfile},
		{"with another profile and digest", revisitOf("http://b/", date, "WARC-Profile: http://x/y",
			"WARC-Payload-Digest: sha1:TWO"), doubtProfile},
		{"by digest", revisitOf("http://b/", "", "WARC-Payload-Digest: sha1:ONE"), ""},
		{"of a revisit", revisitOf("http://a/", "", "WARC-Date: 2021-02-03T04:05:06Z", "WARC-Payload-Digest: sha1:ONE") +
			revisitOf("http://b/", "2021-02-03T04:05:06Z", "WARC-Payload-Digest: sha1:ONE"), ""},
		{"by another URL", sourcetest.WARCRecord("revisit", "http://b/", "", "WARC-Refers-To-Target-URI: https://a/",
			"WARC-Refers-To-Date: "+date), "none"},
		{"by another date", revisitOf("http://b/", "2020-01-02T03:04:06Z"), "none"},
		{"by a URL without a date", revisitOf("http://b/", ""), "none"},
		{"by identifier only", sourcetest.WARCRecord("revisit", "http://b/", "", "WARC-Refers-To: <urn:1>"), "none"},
	} {
		for _, data := range []string{original + row.revisit, row.revisit + original} {
			t.Run(row.name, func(t *testing.T) {
				s, results := openBytes(t, "a.warc", []byte(data)), 0
				for c, err := range s.Lookup("http://b/") {
					results++
					if none := row.doubt == "none"; none || err != nil {
						if !none || err == nil {
							t.Errorf("%+v, %v", c, err)
						}
						continue
					}
					got, err := sourcetest.ReadAll(c)
					if string(got) != "body" || err != nil || c.Doubt != row.doubt {
						t.Errorf("%q, %v, doubt %v, want %v", got, err, c.Doubt, row.doubt)
					}
				}
				if results != 1 {
					t.Errorf("%d results", results)
				}
			})
		}
	}
}

// TestSegments: the segments of a split record are not joined. The first one is unusable.
func TestSegments(t *testing.T) {
	s := openBytes(t, "a.warc", []byte(sourcetest.WARCRecord("resource", "http://a/", "one ", "WARC-Segment-Number: 1")+
		sourcetest.WARCRecord("continuation", "http://a/", "two", "WARC-Segment-Number: 2")+
		sourcetest.PageRecord("http://b/", "body")))
	sourcetest.Equal(t, "captures", listed(t, s), []string{`http://b/ "body"`})
	sourcetest.Equal(t, "excluded", sourcetest.Excluded(s, "http://a/"), []string{reasonSegment})
	if got := sourcetest.SkipLine(s); got != "2 "+reasonSegment {
		t.Errorf("skipped %s", got)
	}
}

// TestManySegments: the work for the first segments of one URL and one identifier grows as their number does.
func TestManySegments(t *testing.T) {
	spent := func(n int) int64 {
		record := sourcetest.WARCRecord("resource", "http://a/", "one", "WARC-Segment-Number: 1", "WARC-Record-ID: <urn:x>")
		p := New(sourcetest.ArchiveFile(t, "a.warc", []byte(strings.Repeat(record, n))))
		p.meter = meter.New(p.Size)
		stats := &capture.Stats{}
		s, err := capture.Open([]capture.File{p}, stats)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if len(stats.Skipped) != 1 || stats.Skipped[0].Count != n {
			t.Errorf("skipped %v, want %d segments", stats.Skipped, n)
		}
		if got := len(sourcetest.Excluded(s, "http://a/")); got == 0 {
			t.Error("a look-up does not tell of segments")
		}
		work, _ := p.meter.Spent()
		return work
	}
	if few, many := spent(1000), spent(30_000); many > 31*few {
		t.Errorf("30,000 segments cost %d, and 1,000 cost %d", many, few)
	}
}
