package warc

import (
	"strings"
	"testing"
	"time"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

func TestParseARC(t *testing.T) {
	for _, row := range []struct {
		line       string
		url, media string
		date       string
		length     int64
		notARecord bool
		doesNotEnd bool
	}{
		{line: "http://a/ 1.2.3.4 20200102030405 text/html 17\n", url: "http://a/", media: "text/html",
			date: "20200102030405", length: 17},
		{line: "http://a/ 1.2.3.4 202001020304 text/html 17\r\n", url: "http://a/", media: "text/html",
			date: "202001020304", length: 17},
		{line: "http://a/b c 20190101000000 d 1.2.3.4 20200102030405 text/html 200 - - 5 a.arc 17\n", url: "http://a/b",
			media: "d", date: "20190101000000", length: 17},
		{line: "http://a/b c d 1.2.3.4 20200102030405 text/html 0\n", url: "http://a/b c d", media: "text/html",
			date: "20200102030405"},
		{line: "http://a/ 1.2.3.4 20200102030405 text/html 17", doesNotEnd: true},
		{line: "http://a/ 1.2.3.4 20200102030405 text/html -17\n", notARecord: true},
		{line: "http://a/ 1.2.3.4 20200102030405 text/html\n", notARecord: true},
		{line: "http://a/ 1.2.3.4 2020010203040x text/html 17\n", notARecord: true},
		{line: "http://a/ 1.2.3.4 2020010203040: text/html 17\n", notARecord: true},
		{line: "http://a/ 1.2.3.4 2020010203 text/html 17\n", notARecord: true},
		{line: "http://a/ 20200102030405 text/html 17\n", notARecord: true},
		{line: "http://a/ 1.2.3.4 20200102030405 17\n", notARecord: true},
		{line: "text\n", notARecord: true},
	} {
		t.Run(row.line, func(t *testing.T) {
			r, err := parseRecord([]byte(row.line + "rest"))
			if row.doesNotEnd {
				r, err = parseRecord([]byte(row.line))
			}
			switch {
			case row.notARecord && err != errNotRecord, row.doesNotEnd && err != errNoEnd:
				t.Errorf("%q: %+v, %v", row.line, r, err)
			case row.notARecord, row.doesNotEnd:
			case err != nil || string(r.url) != row.url || string(r.media) != row.media || string(r.date) != row.date ||
				r.length != row.length || string(r.raw) != row.line || r.kind != arcRecord:
				t.Errorf("%q: %+v, %v", row.line, r, err)
			}
		})
	}
}

// TestParseWARC: the case of field names, brackets around values, and surrounding blanks are ignored. Unknown fields
// and lines that are not fields are skipped.
func TestParseWARC(t *testing.T) {
	const text = "WARC/1.1 \r\nwarc-TYPE: Response\r\nContent-length:\t 12 \r\nCONTENT-TYPE: " +
		"Application/HTTP;msgtype=response\n" +
		"WARC-Date: 2020-01-02T03:04:05.678Z\r\nWARC-Target-URI: <http://a/>\r\n" +
		"WARC-Refers-To-Target-URI: http://b/\r\nWARC-Refers-To-Date: 2019\r\n" +
		"WARC-Payload-Digest: sha1:ONE\r\n" +
		"nonsense\r\n: x\r\nA-Field-Of-Which-The-Name-Is-Long-Indeed: x\r\nWARC-Block-Digest: sha1:TWO\r\n\r\n" +
		"HTTP/1.1 200"
	r, err := parseRecord([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	sourcetest.Equal(t, "fields", []string{string(r.url), string(r.refersURL), string(r.refersDate), string(r.payload)},
		[]string{"http://a/", "http://b/", "2019", "sha1:ONE"})
	if r.kind != "response" || r.length != 12 || !r.http || r.truncated ||
		!strings.HasSuffix(string(r.raw), "TWO\r\n\r\n") {
		t.Errorf("%+v", r)
	}
	if got := parseDate(r.date); !got.Equal(time.Date(2020, 1, 2, 3, 4, 5, 678e6, time.UTC)) {
		t.Errorf("date %v", got)
	}
	for n := len("WARC/"); n < len(r.raw); n++ {
		if r, err := parseRecord([]byte(text[:n])); err != errNoEnd {
			t.Fatalf("the first %d bytes: %+v, %v", n, r, err)
		}
	}
	if r, err := parseRecord([]byte("WARC/1.0\r\nWARC-Type: response\r\nWARC/1.0\r\n\r\n")); err != errNotRecord {
		t.Errorf("a header in a header: %+v, %v", r, err)
	}
}

func TestParseDate(t *testing.T) {
	for text, want := range map[string]string{
		"2020-01-02T03:04:05Z": "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.5+01:00": "2020-01-02T02:04:05.5Z",
		"2020-01-02T03:04Z": "2020-01-02T03:04:00Z",
		"2020-01-02":        "2020-01-02T00:00:00Z", "2020-01": "2020-01-01T00:00:00Z", "2020": "2020-01-01T00:00:00Z",
		"20200102030405": "2020-01-02T03:04:05Z", "202001020304": "2020-01-02T03:04:00Z",
		"20200102030405.250": "2020-01-02T03:04:05.25Z",
		"":                   "0001-01-01T00:00:00Z", "yesterday": "0001-01-01T00:00:00Z",
	} {
		t.Run(text, func(t *testing.T) {
			if got := parseDate([]byte(text)); got.Format(time.RFC3339Nano) != want || got.Location() != time.UTC {
				t.Errorf("parseDate(%q) = %v, want %s", text, got, want)
			}
		})
	}
}
