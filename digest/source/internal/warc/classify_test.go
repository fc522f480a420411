package warc

import (
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestUsableRecords: which records are captures of http://a/, and why others are not.
func TestUsableRecords(t *testing.T) {
	request := func(line string, fields ...string) string {
		return sourcetest.WARCRecord("request", "http://a/", line+" HTTP/1.1\r\n\r\n",
			append(fields, "Content-Type: application/http; msgtype=request")...)
	}
	reply := func(status string, fields ...string) string {
		return sourcetest.WARCRecord("response", "http://a/", sourcetest.Reply(status, "body", fields...),
			"Content-Type: application/http; msgtype=response", "WARC-Record-ID: <urn:2>", "WARC-Concurrent-To: <urn:1>")
	}
	const other = "it may be a reply to a method other than GET"
	interim := "100 Continue\r\n\r\nHTTP/1.1 "
	for _, row := range []struct {
		name, data string
		kept       bool
		skip       string
		doubt      string // only for a capture
	}{
		{"GET", request("GET /", "WARC-Record-ID: <urn:1>") + reply("200 OK"), true, "", ""},
		{"PUT before", request("PUT /", "WARC-Record-ID: <urn:1>") + reply("200 OK"), true, "", other},
		{"PUT after", reply("200 OK") + request("PUT /", "WARC-Concurrent-To: <urn:2>"), true, "",
			other},
		{"PUT before, which names the reply", request("PUT /", "WARC-Concurrent-To: <urn:2>") + reply("200 OK"), true, "",
			other},
		{"PUT with another reply", request("PUT /", "WARC-Record-ID: <urn:8>", "WARC-Concurrent-To: <urn:9>") +
			reply("200 OK"), true, "", other},
		{"POST without identifiers", request("POST /") + reply("200 OK"), true, "", other},
		{"POST, and a part of a file", request("POST /", "WARC-Concurrent-To: <urn:2>") + reply("206 Partial Content"),
			false, "a part of a file (status 206)", ""},
		{"an error", reply("404 Not Found"), true, "", "the status of the reply is 404, not 200"},
		{"a part", reply("206 Partial Content", "Content-Range: bytes 0-3/5"), false, "a part of a file (status 206)", ""},
		{"a part that is the whole file", reply("206 Partial Content", "Content-Range: bytes 0-3/4"), true, "", ""},
		{"not modified", reply("304 Not Modified"), false, "a reply without a body (status 304)", ""},
		{"an interim reply", reply("100 Continue"), false, "an interim reply (status 100)", ""},
		{"a reply after an interim reply", reply(interim + "200 OK"), true, "", ""},
		{"a part after an interim reply", reply(interim + "206 Partial Content"), false, "a part of a file (status 206)", ""},
		{"a resource that says 206", sourcetest.WARCRecord("resource", "http://a/", "HTTP/1.1 206 x\r\n\r\n",
			"Content-Type: text/plain"), true, "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(row.data+sourcetest.PageRecord("http://last/", "x")))
			found := listed(t, s)
			if kept := len(found) == 2 && strings.HasPrefix(found[0], "http://a/ "); kept != row.kept || s.Stats().Lost ||
				kept && row.doubt != "" && !strings.HasSuffix(found[0], ": "+row.doubt) {
				t.Errorf("captures %q, lost %v", found, s.Stats().Lost)
			}
			excluded := strings.Join(sourcetest.Excluded(s, "http://a/"), ", ")
			want := ""
			if row.skip != "" {
				want = "1 " + row.skip
			}
			if got := sourcetest.SkipLine(s); got != want || excluded != row.skip {
				t.Errorf("skipped %q, excluded %q, want %q", got, excluded, row.skip)
			}
		})
	}
}

// TestRecordsThatAreNoCaptures: records without a URL, or about the retrieval, are no captures.
func TestRecordsThatAreNoCaptures(t *testing.T) {
	for _, row := range []struct{ name, record, skip string }{
		{"a reply without a URL", sourcetest.WARCRecord("resource", "", "x"), "1 a reply without a URL"},
		{"a reply with half a URL", sourcetest.WARCRecord("resource", "/a", "x"), "1 a reply without a URL"},
		{"DNS", sourcetest.WARCRecord("response", "dns:a", "x", "Content-Type: text/dns"), ""},
		{"metadata", sourcetest.WARCRecord("metadata", "http://a/", "x"), ""},
		{"a conversion", sourcetest.WARCRecord("conversion", "http://a/", "x"),
			"1 a conversion, whose data no server has sent"},
		{"a warcinfo record", sourcetest.WARCRecord("warcinfo", "", "x"), ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			s := openBytes(t, "a.warc", []byte(row.record+sourcetest.PageRecord("http://last/", "x")))
			sourcetest.Equal(t, "captures", listed(t, s), []string{`http://last/ "x"`})
			if got := sourcetest.SkipLine(s); got != row.skip || s.Stats().Kept != 1 || s.Stats().Lost {
				t.Errorf("skipped %q, %+v", got, s.Stats())
			}
		})
	}
}
