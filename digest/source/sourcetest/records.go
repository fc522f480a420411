package sourcetest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
)

// WARCRecord returns a WARC record in the style of warcio. Fields have the form "Name: value".
func WARCRecord(kind, url, block string, fields ...string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "WARC/1.0\r\nWARC-Type: %s\r\n", kind)
	if url != "" {
		fmt.Fprintf(&b, "WARC-Target-URI: %s\r\n", url)
	}
	for _, f := range fields {
		b.WriteString(f + "\r\n")
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block)
	return b.String()
}

// Reply returns an HTTP response.
func Reply(status, body string, fields ...string) string {
	return "HTTP/1.1 " + status + "\r\n" + strings.Join(append(fields, "", body), "\r\n")
}

// PageRecord returns the response record of a page.
func PageRecord(url, body string, fields ...string) string {
	fields = append([]string{"Content-Type: application/http; msgtype=response"}, fields...)
	return WARCRecord("response", url, Reply("200 OK", body, "Content-Type: text/html"), fields...)
}

// WarcinfoBlock is the block of a warcinfo record.
const WarcinfoBlock = "software: test\r\n"

// Packings are the ways in which archive files are compressed.
var Packings = []struct {
	Name string
	Pack func(records []string) []byte
}{
	{"plain", func(records []string) []byte { return []byte(strings.Join(records, "")) }},
	{"member per record", func(records []string) []byte {
		var b []byte
		for _, r := range records {
			b = append(b, Gzip(r)...)
		}
		return b
	}},
	{"one member", func(records []string) []byte { return Gzip(strings.Join(records, "")) }},
	{"two records a member", func(records []string) []byte {
		var b []byte
		for ; len(records) > 2; records = records[2:] {
			b = append(b, Gzip(records[0]+records[1])...)
		}
		return append(b, Gzip(strings.Join(records, ""))...)
	}},
}

// compressors holds reusable gzip writers. Each takes a megabyte of memory, and most inputs are smaller.
var compressors = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

// Gzip returns s as one gzip member.
func Gzip(s string) []byte {
	var b bytes.Buffer
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	w.Write([]byte(s))
	w.Close()
	return b.Bytes()
}

// ArchiveFile writes a file into a new folder and returns its path.
func ArchiveFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// SampleArchive is an archive with records of most types, and what Lookup finds in it.
var SampleArchive = struct {
	Records []string
	Want    map[string]string
	Skips   string
}{
	Records: []string{
		WARCRecord("warcinfo", "", WarcinfoBlock, "Content-Type: application/warc-fields"),
		PageRecord("http://example.com/new", "second", "WARC-Date: 2021-01-01T00:00:00Z"),
		WARCRecord("request", "http://example.com/new", "GET /new HTTP/1.1\r\n\r\n",
			"Content-Type: application/http; msgtype=request"),
		PageRecord("http://example.com/new", "first", "WARC-Date: 2020-01-01T00:00:00Z",
			"WARC-Payload-Digest: sha1:ONE"),
		PageRecord("<http://example.com/brackets>", "wget"),
		WARCRecord("resource", "ftp://example.com/file", "plain data", "Content-Type: text/plain"),
		WARCRecord("resource", "ftp://example.com/rfc", "HTTP/1.1 206 is a reply", "Content-Type: text/plain"),
		WARCRecord("resource", "metadata://example.com/log", "log", "Content-Type: text/plain"),
		WARCRecord("response", "dns:example.com", "20200101\nexample.com. A 1.2.3.4", "Content-Type: text/dns"),
		WARCRecord("response", "http://example.com/moved", Reply("302 Found", "", "Location: /new"),
			"Content-Type: application/http"),
		WARCRecord("response", "http://example.com/part", Reply("206 Partial Content", "p"),
			"Content-Type: application/http"),
		WARCRecord("response", "http://example.com/form", Reply("200 OK", "posted"), "Content-Type: application/http",
			"WARC-Record-ID: <urn:uuid:3>"),
		WARCRecord("request", "http://example.com/form", "POST /form HTTP/1.1\r\n\r\na=b",
			"Content-Type: application/http", "WARC-Concurrent-To: <urn:uuid:3>"),
		WARCRecord("request", "http://example.com/form2", "POST /form2 HTTP/1.1\r\n\r\na=b",
			"Content-Type: application/http", "WARC-Record-ID: <urn:uuid:4>"),
		WARCRecord("response", "http://example.com/form2", Reply("200 OK", "posted"), "Content-Type: application/http",
			"WARC-Concurrent-To: <urn:uuid:4>"),
		WARCRecord("response", "http://example.com/coded",
			Reply("200 OK", Chunks(string(Gzip("decoded"))), "Transfer-Encoding: chunked", "Content-Encoding: gzip"),
			"Content-Type: application/http"),
		WARCRecord("response", "http://example.com/long", Reply("200 OK", "begin"), "WARC-Segment-Number: 1"),
		WARCRecord("revisit", "http://example.com/by-url", "", "WARC-Refers-To-Target-URI: http://example.com/new",
			"WARC-Refers-To-Date: 2020-01-01T00:00:00Z"),
		WARCRecord("revisit", "http://example.com/other", Reply("200 OK", "", "Content-Type: text/other"),
			"Content-Type: application/http", "WARC-Payload-Digest: sha1:ONE"),
		WARCRecord("revisit", "http://example.com/by-digest", Reply("304 Not Modified", ""),
			"Content-Type: application/http", "WARC-Payload-Digest: sha1:ONE"),
		WARCRecord("revisit", "http://example.com/lost", "", "WARC-Payload-Digest: sha1:TWO"),
	},
	Want: map[string]string{
		"http://example.com/new": `http://example.com/new (text/html) 2020-01-01 stored "first"
http://example.com/new (text/html) 2021-01-01 stored "second"
`,
		"HTTP://EXAMPLE.com:80/new#top":  "",
		"http://example.com/brackets":    "http://example.com/brackets (text/html) stored \"wget\"\n",
		"ftp://example.com/file":         "ftp://example.com/file (text/plain) stored \"plain data\"\n",
		"ftp://example.com/rfc":          "ftp://example.com/rfc (text/plain) stored \"HTTP/1.1 206 is a reply\"\n",
		"metadata://example.com/log":     "",
		"http://example.com/moved":       "http://example.com/moved → /new\n",
		"http://example.com/part":        "",
		"http://example.com/form":        "http://example.com/form stored \"posted\"\n",
		"http://example.com/form2":       "http://example.com/form2 stored \"posted\"\n",
		"http://example.com/long":        "",
		"http://example.com/by-url":      "http://example.com/by-url (text/html) stored \"first\"\n",
		"http://example.com/other":       "http://example.com/other (text/other) stored \"first\"\n",
		"http://example.com/by-digest":   "http://example.com/by-digest (text/html) stored \"first\"\n",
		"http://example.com/nothing/new": "",
	},
	Skips: "1 a part of a file (status 206); 1 a segment of a split record",
}

// Chunks returns s in chunked transfer coding, in two chunks.
func Chunks(s string) string {
	return fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", 3, s[:3], len(s)-3, s[3:])
}

// HAREntry returns an entry of a HAR file. String arguments must be escaped for JSON already.
func HAREntry(method, url string, status int, content, more string) string {
	return fmt.Sprintf(`{"request": {"method": "%s", "url": "%s"}, "response": {"status": %d, "content": %s %s}}`,
		method, url, status, content, more)
}

// HAR returns a HAR file with the entries.
func HAR(entries ...string) string {
	return `{"log": {"entries": [` + strings.Join(entries, ",\n") + `]}}`
}

// BlinkPage is a page as Chromium saves it.
const BlinkPage = `From: <Saved by Blink>
Snapshot-Content-Location: http://h/page
Subject: =?utf-8?Q?Title?=
Date: Mon, 6 May 2024 07:08:09 -0000
MIME-Version: 1.0
Content-Type: multipart/related;
	type="text/html";
	boundary="----MultipartBoundary--x----"


------MultipartBoundary--x----
Content-Type: text/html
Content-ID: <frame-1@mhtml.blink>
Content-Transfer-Encoding: quoted-printable
Content-Location: http://h/page

<!DOCTYPE html><img src=3D"a.png"><iframe src=3D"cid:frame-2@mhtml.blink">=
</iframe>
end
------MultipartBoundary--x----
Content-Type: text/html
Content-ID: <frame-2@mhtml.blink>
Content-Transfer-Encoding: quoted-printable

inner
------MultipartBoundary--x----
Content-Type: image/png
Content-Transfer-Encoding: base64
Content-Location: http://h/a.png

iVBO
Rw==

------MultipartBoundary--x------
An epilogue.
`

// WriteFile writes a file, and makes the folders in its path.
func WriteFile(t testing.TB, data string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func init() {
	SampleArchive.Want["HTTP://EXAMPLE.com:80/new#top"] = SampleArchive.Want["http://example.com/new"]
}
