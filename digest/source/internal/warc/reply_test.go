package warc

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// replyOf returns the header of a response with these fields, each as "Name: value".
func replyOf(status int, fields ...string) *body.Header {
	h := &body.Header{Status: status}
	for _, f := range fields {
		name, value, _ := strings.Cut(f, ": ")
		h.Fields = append(h.Fields, body.Field{Name: name, Value: value})
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
		record recordType
		header *body.Header
		length int64
		status int
		want   string
	}{
		{"a response", 0, replyOf(200), 9, 200, ""},
		{"a resource", 0, nil, 9, 200, ""},
		{"an empty response", 0, replyOf(200), 0, 200, empty},
		{"an empty resource", 0, nil, 0, 200, empty},
		{"a response that declares nothing", 0, replyOf(200, "Content-Length: 0"), 0, 200, ""},
		{"an empty response that declares something", 0, replyOf(200, "Content-Length: 1"), 0, 200, empty},
		{"a response without content", 0, replyOf(http.StatusNoContent, "Content-Length: 0"), 0, 204, empty},
		{"another status", 0, replyOf(404), 9, 404, "the status of the reply is 404, not 200"},
		{"a range", 0, replyOf(200, "Content-Range: bytes 0-1/2"), 9, 200,
			"the reply has a Content-Range, but not status 206"},
		{"a range of a partial response", 0, replyOf(206, "Content-Range: bytes 0-1/2"), 9, 206, ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := &storedRecord{header: row.header}
			s.name, s.length = row.record, row.length
			if row.header != nil {
				s.length += row.header.Size
			}
			if got := s.doubt(row.status); got != row.want {
				t.Errorf("%v, want %v", got, row.want)
			}
		})
	}
}

// revisitOf returns a revisit record of http://a/ that refers to an identifier.
func revisitOf(url, id string, fields ...string) string {
	return sourcetest.WARCRecord("revisit", url, "", append(fields, "WARC-Refers-To: <"+id+">")...)
}

// TestDoubtsOfRevisits: what connects a revisit with its original, and why the original may be another file.
func TestDoubtsOfRevisits(t *testing.T) {
	original := sourcetest.PageRecord("http://a/", "body", "WARC-Record-ID: <urn:1>", "WARC-Payload-Digest: sha1:ONE",
		"WARC-Date: 2020-01-02T03:04:05.5Z")
	for _, row := range []struct {
		name, revisit string
		doubt         string // "none" for a revisit without original
	}{
		{"by identifier", revisitOf("http://b/", "urn:1"), ""},
		{"by identifier, with the digest", revisitOf("http://b/", "urn:1", "WARC-Payload-Digest: ONE"), ""},
		{"with another digest", revisitOf("http://b/", "urn:1", "WARC-Payload-Digest: sha1:TWO"), doubtPayload},
		{"with another profile", revisitOf("http://b/", "urn:1", "WARC-Profile: http://x/y"), doubtProfile},
		{"with another profile and digest", revisitOf("http://b/", "urn:1", "WARC-Profile: http://x/y",
			"WARC-Payload-Digest: sha1:TWO"), doubtProfile},
		{"of a revisit", revisitOf("http://c/", "urn:1", "WARC-Record-ID: <urn:2>") + revisitOf("http://b/", "urn:2"),
			doubtChain},
		{"by digest", revisitOf("http://b/", "", "WARC-Payload-Digest: sha1:ONE"), ""},
		{"by URL and date", sourcetest.WARCRecord("revisit", "http://b/", "", "WARC-Refers-To-Target-URI: HTTP://A:80/",
			"WARC-Refers-To-Date: 2020-01-02T03:04:05Z"), ""},
		{"by another URL", sourcetest.WARCRecord("revisit", "http://b/", "", "WARC-Refers-To-Target-URI: https://a/",
			"WARC-Refers-To-Date: 2020-01-02T03:04:05Z"), "none"},
		{"by another date", sourcetest.WARCRecord("revisit", "http://b/", "", "WARC-Refers-To-Target-URI: http://a/",
			"WARC-Refers-To-Date: 2020-01-02T03:04:06Z"), "none"},
		{"by a URL without a date", sourcetest.WARCRecord("revisit", "http://b/", "",
			"WARC-Refers-To-Target-URI: http://a/"), "none"},
		{"of nothing", revisitOf("http://b/", "urn:9"), "none"},
		{"of itself", revisitOf("http://b/", "urn:2", "WARC-Record-ID: <urn:2>"), "none"},
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

// TestSegmentsOfRecords: a split record is joined if all its segments are there, in any order and once or twice.
func TestSegmentsOfRecords(t *testing.T) {
	first := sourcetest.WARCRecord("resource", "http://a/", "one ", "WARC-Record-ID: <urn:1>", "WARC-Segment-Number: 1")
	more := func(n int, data, origin, total string) string {
		fields := []string{"WARC-Segment-Origin-ID: <" + origin + ">", fmt.Sprintf("WARC-Segment-Number: %d", n)}
		if total != "" {
			fields = append(fields, "WARC-Segment-Total-Length: "+total)
		}
		return sourcetest.WARCRecord("continuation", "http://a/", data, fields...)
	}
	two, three := more(2, "two ", "urn:1", ""), more(3, "three", "urn:1", "13")
	for _, row := range []struct {
		name, data string
		want       bool
	}{
		{"in order", first + two + three, true},
		{"in another order", three + first + two, true},
		{"one twice", first + two + more(2, "xxx ", "urn:1", "") + three, true},
		{"and one of another record", first + more(2, "xxx ", "urn:2", "") + two + three, true},
		{"one missing", first + three, false},
		{"the last missing", first + two, false},
		{"the first missing", two + three, false},
		{"a wrong total", first + two + more(3, "three", "urn:1", "14"), false},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(row.data))
			got := strings.Join(listed(t, s), ", ")
			if got == `http://a/ "one two three"` != row.want {
				t.Errorf("%s", got)
			}
		})
	}
}
