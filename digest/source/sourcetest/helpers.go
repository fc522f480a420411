package sourcetest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
)

// names returns the names in a folder.
func FileNames(t *testing.T, dir string) []string {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range list {
		all = append(all, e.Name())
	}
	return all
}

// files returns the number of files in a folder.
func FileCount(t *testing.T, dir string) int {
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return len(list)
}

// An entry of a zip, for tests.
type ZipEntry struct {
	Name     string
	Data     []byte
	Deflated bool
}

func Zip(t testing.TB, list ...ZipEntry) []byte {
	t.Helper()
	var entries []ZipStream
	for _, e := range list {
		h := &zip.FileHeader{Name: e.Name}
		if e.Deflated {
			h.Method = zip.Deflate
		}
		entries = append(entries, ZipStream{e.Data, func(z *zip.Writer) (io.Writer, error) { return z.CreateHeader(h) }})
	}
	return ZipStreams(t, entries)
}

// A zipEntry is data, and what begins the entry for them.
type ZipStream struct {
	Data  []byte
	Begin func(*zip.Writer) (io.Writer, error)
}

func ZipStreams(t testing.TB, list []ZipStream) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range list {
		w, err := e.Begin(z)
		if err == nil {
			_, err = w.Write(e.Data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// warcRecord writes a record as warcio does. Fields are "Name: value".
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

// reply writes an HTTP reply.
func Reply(status, body string, fields ...string) string {
	return "HTTP/1.1 " + status + "\r\n" + strings.Join(append(fields, "", body), "\r\n")
}

// page writes the response record of a page.
func PageRecord(url, body string, fields ...string) string {
	fields = append([]string{"Content-Type: application/http; msgtype=response"}, fields...)
	return WARCRecord("response", url, Reply("200 OK", body, "Content-Type: text/html"), fields...)
}

const WarcinfoBlock = "software: test\r\n"

// packings are the ways in which archive files are compressed.
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
	{"members across records", func(records []string) []byte {
		var b []byte
		for all := strings.Join(records, ""); all != ""; {
			n := min(len(all), 100)
			b = append(b, Gzip(all[:n])...)
			all = all[n:]
		}
		return b
	}},
	{"frame per record", func(records []string) []byte { return Zstd(nil, records) }},
	{"one frame", func(records []string) []byte { return Zstd(nil, []string{strings.Join(records, "")}) }},
	{"dictionary", func(records []string) []byte {
		return append(SkippableFrame(Dictionary()), Zstd(Dictionary(), records)...)
	}},
	{"compressed dictionary", func(records []string) []byte {
		return append(SkippableFrame(Zstd(nil, []string{string(Dictionary())})), Zstd(Dictionary(), records)...)
	}},
}

// compressors are used again, since each is a megabyte, and most of what it gets is smaller.
var compressors = sync.Pool{New: func() any { return gzip.NewWriter(nil) }}

func Gzip(s string) []byte {
	var b bytes.Buffer
	w := compressors.Get().(*gzip.Writer)
	defer compressors.Put(w)
	w.Reset(&b)
	w.Write([]byte(s))
	w.Close()
	return b.Bytes()
}

func Zstd(dict []byte, frames []string) []byte {
	options := []zstd.EOption{zstd.WithEncoderConcurrency(1)}
	if dict != nil {
		options = append(options, zstd.WithEncoderDict(dict))
	}
	w, err := zstd.NewWriter(nil, options...)
	if err != nil {
		panic(err)
	}
	defer w.Close()
	var b []byte
	for _, f := range frames {
		b = w.EncodeAll([]byte(f), b)
	}
	return b
}

// dictionary is one that fits the records of tests.
var Dictionary = sync.OnceValue(func() []byte {
	var samples [][]byte
	for i := range 200 {
		samples = append(samples, []byte(PageRecord(fmt.Sprintf("http://example.com/%d", i), "x")))
	}
	dict, err := zstd.BuildDict(zstd.BuildDictOptions{
		ID: 7, Contents: samples, History: bytes.Join(samples[:4], nil), Offsets: [3]int{1, 4, 8}, Level: zstd.SpeedFastest,
	})
	if err != nil {
		panic(err)
	}
	return dict
})

func SkippableFrame(data []byte) []byte {
	return append(binary.LittleEndian.AppendUint32([]byte("\x5d\x2a\x4d\x18"), uint32(len(data))), data...)
}

// archiveFile puts a file into a new folder.
func ArchiveFile(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// kept returns what a source has of a URL, on a line for each candidate: URL,
// media type, date, redirect, and the forms of its body that can be read.
func Describe(s capture.Source, url string) string {
	var b strings.Builder
	for c, err := range s.Lookup(url) {
		if err != nil {
			fmt.Fprintf(&b, "error: %v\n", err)
			continue
		}
		fmt.Fprintf(&b, "%s", c.URL)
		if c.MediaType != "" {
			fmt.Fprintf(&b, " (%s)", c.MediaType)
		}
		if !c.Time.IsZero() {
			fmt.Fprintf(&b, " %s", c.Time.Format("2006-01-02"))
		}
		if c.Redirect != "" {
			fmt.Fprintf(&b, " → %s", c.Redirect)
		}
		for _, body := range c.Bodies {
			if data, err := ReadAll(body); err == nil {
				fmt.Fprintf(&b, " %s %q", body.Form, data)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

func ReadAll(b capture.Body) ([]byte, error) {
	r, err := b.Open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// reasons returns the counts of a source on one line.
func SkipLine(s capture.Source) string {
	var list []string
	for _, k := range s.Stats().Skipped {
		list = append(list, fmt.Sprintf("%d %s", k.Count, k.Reason))
	}
	return strings.Join(list, "; ")
}

func ExpectLookup(t *testing.T, s capture.Source, url, want string) {
	t.Helper()
	if got := Describe(s, url); got != want {
		t.Errorf("%s:\n got %swant %s", url, got, want)
	}
}

// sample is an archive with something of every kind, and what is to be found in it.
var SampleArchive = struct {
	Records  []string
	Want     map[string]string
	SkipList string
}{
	Records: []string{
		WARCRecord("warcinfo", "", WarcinfoBlock, "Content-Type: application/warc-fields"),
		PageRecord("http://example.com/new", "second", "WARC-Date: 2021-01-01T00:00:00Z", "WARC-Record-ID: <urn:uuid:2>"),
		WARCRecord("request", "http://example.com/new", "GET /new HTTP/1.1\r\n\r\n", "Content-Type: application/http; msgtype=request"),
		PageRecord("http://example.com/new", "first", "WARC-Date: 2020-01-01T00:00:00Z", "WARC-Record-ID: <urn:uuid:1>", "WARC-Payload-Digest: sha1:ONE"),
		PageRecord("<http://example.com/brackets>", "wget"),
		WARCRecord("resource", "ftp://example.com/file", "plain data", "Content-Type: text/plain"),
		WARCRecord("resource", "ftp://example.com/rfc", "HTTP/1.1 206 is a reply", "Content-Type: text/plain"),
		WARCRecord("resource", "metadata://example.com/log", "log", "Content-Type: text/plain"),
		WARCRecord("response", "dns:example.com", "20200101\nexample.com. A 1.2.3.4", "Content-Type: text/dns"),
		WARCRecord("response", "http://example.com/moved", Reply("302 Found", "", "Location: /new"), "Content-Type: application/http"),
		WARCRecord("response", "http://example.com/part", Reply("206 Partial Content", "p"), "Content-Type: application/http"),
		WARCRecord("response", "http://example.com/form", Reply("200 OK", "posted"), "Content-Type: application/http", "WARC-Record-ID: <urn:uuid:3>"),
		WARCRecord("request", "http://example.com/form", "POST /form HTTP/1.1\r\n\r\na=b", "Content-Type: application/http", "WARC-Concurrent-To: <urn:uuid:3>"),
		WARCRecord("request", "http://example.com/form2", "POST /form2 HTTP/1.1\r\n\r\na=b", "Content-Type: application/http", "WARC-Record-ID: <urn:uuid:4>"),
		WARCRecord("response", "http://example.com/form2", Reply("200 OK", "posted"), "Content-Type: application/http", "WARC-Concurrent-To: <urn:uuid:4>"),
		WARCRecord("response", "http://example.com/coded", Reply("200 OK", Chunks(string(Gzip("decoded"))), "Transfer-Encoding: chunked", "Content-Encoding: gzip"), "Content-Type: application/http"),
		WARCRecord("response", "http://example.com/long", Reply("200 OK", "begin"), "WARC-Segment-Number: 1"),
		WARCRecord("continuation", "http://example.com/long", "end", "WARC-Segment-Number: 2"),
		WARCRecord("revisit", "http://example.com/by-url", "", "WARC-Refers-To-Target-URI: http://example.com/new", "WARC-Refers-To-Date: 2020-01-01T00:00:00Z"),
		WARCRecord("revisit", "http://example.com/by-id", Reply("200 OK", "", "Content-Type: text/other"), "Content-Type: application/http", "WARC-Refers-To: <urn:uuid:2>"),
		WARCRecord("revisit", "http://example.com/by-digest", Reply("304 Not Modified", ""), "Content-Type: application/http", "WARC-Payload-Digest: sha1:ONE"),
		WARCRecord("revisit", "http://example.com/lost", "", "WARC-Payload-Digest: sha1:TWO"),
	},
	Want: map[string]string{
		"http://example.com/new": `http://example.com/new (text/html) 2020-01-01 as stored "first"
http://example.com/new (text/html) 2021-01-01 as stored "second"
`,
		"HTTP://EXAMPLE.com:80/new#top":  "",
		"http://example.com/brackets":    "http://example.com/brackets (text/html) as stored \"wget\"\n",
		"ftp://example.com/file":         "ftp://example.com/file (text/plain) as stored \"plain data\"\n",
		"ftp://example.com/rfc":          "ftp://example.com/rfc (text/plain) as stored \"HTTP/1.1 206 is a reply\"\n",
		"metadata://example.com/log":     "",
		"http://example.com/moved":       "http://example.com/moved → /new\n",
		"http://example.com/part":        "",
		"http://example.com/form":        "",
		"http://example.com/form2":       "",
		"http://example.com/long":        "",
		"http://example.com/by-url":      "http://example.com/by-url (text/html) as stored \"first\"\n",
		"http://example.com/by-id":       "http://example.com/by-id (text/other) as stored \"second\"\n",
		"http://example.com/by-digest":   "http://example.com/by-digest (text/html) as stored \"first\"\n",
		"http://example.com/nothing/new": "",
	},
	Skips: "2 a reply to POST; 2 a segment of a record that was split; 1 a part of a file (status 206)",
}

func Chunks(s string) string {
	return fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", 3, s[:3], len(s)-3, s[3:])
}

type ClosingReader struct {
	io.Reader
	Done func()
}

// zeros never end.
type ZeroReader struct{}

// zstdFrame returns a frame with one raw block, and a window that is a power of two
// (RFC 8878, 3.1.1).
func ZstdFrame(window int, data string) string {
	exponent := 0
	for ; 1<<(10+exponent) < window; exponent++ {
	}
	b := append([]byte("\x28\xb5\x2f\xfd"), 0, byte(exponent<<3))
	block := uint32(len(data))<<3 | 1
	return string(append(b, byte(block), byte(block>>8), byte(block>>16))) + data
}

// entryOf returns an entry of a HAR file. What goes between quotes is JSON already.
func HAREntry(method, url string, status int, content, more string) string {
	return fmt.Sprintf(`{"request": {"method": "%s", "url": "%s"}, "response": {"status": %d, "content": %s %s}}`, method, url, status, content, more)
}

func HAR(entries ...string) string {
	return `{"log": {"entries": [` + strings.Join(entries, ",\n") + `]}}`
}

// A failingFile has data, and then a disk that fails.
type FailingFile struct{ Data string }

var ErrDisk = errors.New("the disk fails")

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

// write makes a file, and the folders that it is in.
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

// found returns what a source has of a URL. No error may turn up.
func Lookup(t testing.TB, s capture.Source, url string) []*capture.Candidate {
	t.Helper()
	var list []*capture.Candidate
	for c, err := range s.Lookup(url) {
		if err != nil {
			t.Fatalf("Lookup(%q): %v", url, err)
		}
		list = append(list, c)
	}
	return list
}

// one returns the only thing that a source has of a URL.
func LookupOne(t testing.TB, s capture.Source, url string) *capture.Candidate {
	t.Helper()
	list := Lookup(t, s, url)
	if len(list) != 1 {
		t.Fatalf("Lookup(%q) finds %d things, want 1", url, len(list))
	}
	return list[0]
}

// read returns the data of a body.
func MustRead(t testing.TB, b capture.Body) string {
	t.Helper()
	r, err := b.Open()
	if err != nil {
		t.Fatalf("%s: %v", b.Form, err)
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", b.Form, err)
	}
	return string(data)
}

// forms returns the forms of a candidate with their data, in order.
func ReadForms(t testing.TB, c *capture.Candidate) []string {
	t.Helper()
	var list []string
	for _, b := range c.Bodies {
		list = append(list, b.Form+": "+MustRead(t, b))
	}
	return list
}

func Equal[T comparable](t testing.TB, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

// skips returns what was skipped, as "2 × reason".
func SkipList(s capture.Source) []string {
	var list []string
	for _, k := range s.Stats().Skipped {
		list = append(list, fmt.Sprintf("%d × %s", k.Count, k.Reason))
	}
	return list
}

func GzipString(t testing.TB, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(data)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func (f FailingFile) ReadAt(p []byte, at int64) (int, error) {
	if n := copy(p, f.Data[min(at, int64(len(f.Data))):]); n == len(p) {
		return n, nil
	} else {
		return n, ErrDisk
	}
}

func (c ClosingReader) Close() error { c.Done(); return nil }

func (ZeroReader) MustRead(p []byte) (int, error) { clear(p); return len(p), nil }

func init() {
	SampleArchive.Want["HTTP://EXAMPLE.com:80/new#top"] = SampleArchive.Want["http://example.com/new"]
}
