package export_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture"
	"github.com/webcap-tools/webcap/webcapture/export"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// site is a PDF with two captured pages and an image; programs have a file.
var site = webcapturetest.Sets(2, webcapturetest.Options{Images: 2}).Bytes(webcapturetest.Layout{})

func Example() {
	var warc bytes.Buffer
	w := export.NewWriter(&warc, "captures.warc.gz", "1.0", export.Options{})
	f, err := webcapture.New(context.Background(), site, webcapture.Options{}) // or Open("site.pdf", …)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer f.Close()
	records, err := recordsOf(f, export.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer records.Close()
	if err := w.Add(export.Source{Path: "site.pdf", Size: f.Size()}, records); err != nil {
		fmt.Println(err)
	}
	if err := w.Close(); err != nil {
		fmt.Println(err)
	}
	fmt.Println(records.Pages, "pages,", records.Images, "image")
	// Output:
	// 2 pages, 1 image
}

// recordsOf returns the records of a file.
func recordsOf(f *webcapture.File, opt export.Options) (records *export.Records, err error) {
	err = f.RetryWithoutXRef(func() error {
		db, err := f.Database()
		if err != nil {
			return err
		}
		records, err = export.New(f, db, opt)
		return err
	})
	return records, err
}

// exported returns the WARC file of a PDF, and the records.
func exported(t *testing.T, pdf []byte, opt export.Options) (warc []byte, records *export.Records) {
	t.Helper()
	f, err := webcapture.New(t.Context(), pdf, webcapture.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	records, err = recordsOf(f, opt)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(records.Close)
	var out bytes.Buffer
	w := export.NewWriter(&out, "captures.warc.gz", "1.0", opt)
	if err := w.Add(export.Source{Path: "site.pdf", SHA256: "00", Size: f.Size()}, records); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), records
}

// read is a record as a naive reader sees it.
type read struct {
	header textproto.MIMEHeader
	block  []byte
}

func (r read) String() string {
	return strings.TrimSpace(r.header.Get("WARC-Type") + " " + r.header.Get("WARC-Target-URI"))
}

// readAll reads a WARC file whose records are gzip members of their own.
func readAll(t *testing.T, warc []byte) (list []read) {
	t.Helper()
	in := bytes.NewReader(warc)
	for in.Len() > 0 {
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		member, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, readOne(t, member))
	}
	return list
}

func readOne(t *testing.T, record []byte) read {
	t.Helper()
	r := textproto.NewReader(bufio.NewReader(bytes.NewReader(record)))
	if line, err := r.ReadLine(); err != nil || line != "WARC/1.1" {
		t.Fatalf("a record begins with %q, %v", line, err)
	}
	header, err := r.ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	rest, err := io.ReadAll(r.R)
	n, _ := strconv.Atoi(header.Get("Content-Length"))
	if err != nil || string(rest[n:]) != "\r\n\r\n" {
		t.Fatalf("after the block of %v: %q, %v", header, rest[n:], err)
	}
	if digest := header.Get("WARC-Block-Digest"); digest != "" {
		if sum := sha256.Sum256(rest[:n]); digest != "sha256:"+hex.EncodeToString(sum[:]) {
			t.Errorf("the block digest %s is wrong", digest)
		}
	}
	return read{header: header, block: rest[:n]}
}

// The PDF is a record under its first page, further pages refer to it, and an image whose MD5 is the ID is a record.
func TestRecords(t *testing.T) {
	for _, asResource := range []bool{false, true} {
		t.Run(fmt.Sprint(asResource), func(t *testing.T) {
			warc, records := exported(t, site, export.Options{AsResource: asResource})
			if records.Pages != 2 || records.Images != 1 || len(records.Left) != 0 {
				t.Errorf("%d pages, %d images, %d left", records.Pages, records.Images, len(records.Left))
			}
			list := readAll(t, warc)
			checkRecords(t, list, map[bool]string{false: "conversion", true: "resource"}[asResource])
		})
	}
}

func checkRecords(t *testing.T, list []read, kind string) {
	const base = "http://www.example.org/archive/0000000"
	var got []string
	byKind := map[string]read{}
	for _, r := range list {
		got = append(got, r.String())
		byKind[r.String()] = r
	}
	want := []string{"warcinfo", kind + " " + base + "0/index.html?rev=0", "resource " + base + "0/image.jpg",
		"revisit " + base + "1/index.html?rev=1"}
	if !slices.Equal(got[:len(got)-1], want) || !strings.HasPrefix(got[len(want)], "metadata urn:uuid:") {
		t.Fatalf("records %q, want %q and metadata", got, want)
	}
	pdf, image, revisit := byKind[want[1]], byKind[want[2]], byKind[want[3]]
	if !bytes.Equal(pdf.block, site) || pdf.header.Get("Content-Type") != "application/pdf" ||
		pdf.header.Get("WARC-Date") != "2024-01-02T03:04:05Z" {
		t.Errorf("the record of the PDF: %v", pdf.header)
	}
	if sum := md5.Sum(image.block); !bytes.Contains(site, fmt.Appendf(nil, "/ID <%X>", sum)) &&
		!bytes.Contains(site, fmt.Appendf(nil, "/ID <%x>", sum)) {
		t.Errorf("the MD5 of the image is %x", sum)
	}
	for to, from := range map[string]string{"WARC-Refers-To": "WARC-Record-ID", "WARC-Refers-To-Date": "WARC-Date",
		"WARC-Refers-To-Target-URI": "WARC-Target-URI", "WARC-Payload-Digest": "WARC-Payload-Digest"} {
		if got, want := revisit.header.Get(to), pdf.header.Get(from); got != want {
			t.Errorf("%s of the revisit is %q, want %q", to, got, want)
		}
	}
	about := fmt.Sprintf("source: site.pdf\r\nsha256: 00\r\nsize: %d\r\ncaptures: 2 pages, 1 images\r\n", len(site))
	if got := string(list[len(list)-1].block); got != about {
		t.Errorf("metadata: %s, want %s", got, about)
	}
}

// Captures that cannot be exported are in Records.Left, with the reason. The date of the document is not that of a capture.
func TestLeft(t *testing.T) {
	const tree = "names: << /URLS << /Names [ (http://a.example/) 5 0 R ] >> >>\n"
	const page = "7 0 obj << /Type /Page /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> >>\n"
	set := func(entries string) string {
		return "5 0 obj << /S /SPS /ID <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> " + entries + " >>\n"
	}
	const url, date, shown = " /SI << /AU (http://a.example/) >> ", " /TS (D:20030514123000Z) ", " /O [ 7 0 R ] "
	for _, test := range []struct{ name, objects, want string }{
		{"all is there", tree + page + set(url+date+shown), "2003-05-14T12:30:00Z http://a.example/"},
		{"no date", tree + page + set(url+shown), "no date in the content set"},
		{"not a date", tree + page + set(url+shown+" /TS (May 2003) "), "no date in the content set"},
		{"date of the document", tree + page + "trailer: /Info 8 0 R\n8 0 obj << /CreationDate (D:20040101) >>\n" +
			set(url+shown),
			"no date in the content set"},
		{"relative URL", "names: << /URLS << /Names [ (b.html) 5 0 R ] >> >>\n" + page +
			set(date+shown+" /SI << /AU (b.html) >>"),
			"its URL is relative"},
		{"no URL", "names: << /IDS << /Names [ <a0a1a2a3a4a5a6a7a8a9aaabacadaeaf> 5 0 R ] >> >>\n" + page +
			set(date+shown),
			"it has no URL"},
		{"no page", tree + set(url+date+" /O [ ] "), "its pages are not in the document"},
		{"bytes that no URI has", tree + page + set(date+shown+" /SI << /AU (http://a.example/a|b\\351) >> "),
			"2003-05-14T12:30:00Z http://a.example/a%7Cb%E9"},
	} {
		t.Run(test.name, func(t *testing.T) {
			doc, err := webcapturetest.Parse(test.objects)
			if err != nil {
				t.Fatal(err)
			}
			warc, records := exported(t, doc.Bytes(webcapturetest.Layout{}), export.Options{})
			var got []string
			for _, l := range records.Left {
				got = append(got, l.Reason)
			}
			for _, r := range readAll(t, warc) {
				if r.header.Get("WARC-Type") == "conversion" {
					got = append(got, r.header.Get("WARC-Date")+" "+r.header.Get("WARC-Target-URI"))
				}
			}
			if len(got) != 1 || got[0] != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// A capture whose URL is in the index is not exported, for any date in the index.
func TestAgainst(t *testing.T) {
	index,
		err := export.ReadIndex(strings.NewReader("org,example)/archive/00000000/index.html?rev=0 20100101000000 {}\n"))
	if err != nil {
		t.Fatal(err)
	}
	warc, records := exported(t, site, export.Options{Against: index})
	known := slices.ContainsFunc(records.Left, func(l export.Left) bool {
		return l.Reason == "the index has the URL" && l.Count == 1 && l.Intended
	})
	if !known || records.Pages != 1 || len(readAll(t, warc)) != 4 {
		t.Errorf("left are %v, %d pages", records.Left, records.Pages)
	}
}

// An index has a URL if it has its SURT key, for any date.
func TestIndex(t *testing.T) {
	const lines = " CDX N b a m s k r M S V g\n!meta 0 {}\nexample,a)/ 20100101000000 {}\nexample,a)/ 20120101000000 {}\n" +
		"example,b)/ 2011 {}\n\nexample,d)/ 20110101000000123 {}\r\n"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, lines)
	z.Close()
	for _, in := range []string{lines, packed.String()} {
		x, err := export.ReadIndex(strings.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		for url, want := range map[string]bool{"http://a.example/": true, "https://www.a.example": true,
			"http://b.example/": true, "http://c.example/": false, "http://d.example/": true} {
			if got := x.Has(url); got != want {
				t.Errorf("the index has %s: %v", url, got)
			}
		}
	}
}

// TestIndexesOfPrograms: the URL of a line counts before its key. Keys may be URLs, as wget writes them.
func TestIndexesOfPrograms(t *testing.T) {
	for name, in := range map[string]string{
		"SURT":                   "com,example)/a 20100102030405 {}",
		"wget":                   " CDX a b a m s k r M V g u\nhttp://example.com/a 20100102030405 http://example.com/a text/html 200 X - - 1 f -",
		"a plain key":            "http://example.com/a 20100102030405",
		"a URL after a key":      "xyz)/ 20100102030405 {\"url\": \"http://example.com/a\"}",
		"a URL in a column":      "xyz)/ 20100102030405 http://example.com/a text/html 200",
		"a byte order mark":      "\ufeffcom,example)/a 20100102030405 {}",
		"a mark before a header": "\ufeff CDX N b a\ncom,example)/a 20100102030405 http://example.com/a",
		"headers":                "!OpenWayback-CDXJ 1.0\n!meta {}\ncom,example)/a 20100102030405 {}",
	} {
		t.Run(name, func(t *testing.T) {
			x, err := export.ReadIndex(strings.NewReader(in))
			if err != nil {
				t.Fatal(err)
			}
			if !x.Has("http://example.com/a") || x.Len() != 1 {
				t.Errorf("it does not have the URL, %d lines", x.Len())
			}
		})
	}
	x, err := export.ReadIndex(strings.NewReader("com,example)/ 20100102030405 {\"url\": \"http://www.example.com/\"}"))
	if err != nil {
		t.Fatal(err)
	}
	if !x.Has("http://www.example.com/") {
		t.Error("a key without www hides the URL")
	}
}

func TestReadIndexRejects(t *testing.T) {
	for in, want := range map[string]string{
		"example,a)/\n": "line 1 is not a line of an index: expected a key and a date, such as 20100102030405",
		"example,a)/ 20100101000000 {}\n<html>\n": "line 2 is not a line of an index: expected a key and a " +
			"date, such as 20100102030405",
		"example,a)/ 2010x101000000 {}\n": "line 1 is not a line of an index: expected a key and a date, such as " +
			"20100102030405",
		"example,a)/ 201 {}\n": "line 1 is not a line of an index: expected a key and a date, such as " +
			"20100102030405",
		"example,a)/ 201001010000001234 {}\n": "line 1 is not a line of an index: expected a key and a date, such as " +
			"20100102030405",
		"\x1f\x8b is not gzip\n":                      "gzip: invalid header",
		"example.com/ 20100101000000 {}\n":            "line 1 has a key that is not SURT, such as com,example)/",
		strings.Repeat("a", 1<<20) + " 2010 {}\n":     "line 1 is longer than 1048576 bytes",
		"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00abc": "",
	} {
		_, err := export.ReadIndex(strings.NewReader(in))
		if err == nil || want != "" && err.Error() != want {
			t.Errorf("%.40q: %v, want %s", in, err, want)
		}
	}
}

func FuzzReadIndex(f *testing.F) {
	f.Add([]byte("example,a)/ 20100101000000 {}\n"))
	f.Add([]byte(" CDX N b\nexample,a)/ 2010 x\r\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if x, err := export.ReadIndex(bytes.NewReader(in)); err == nil {
			x.Has("http://a.example/")
		}
	})
}

// npm's warcio reads the records, if its packages are installed. Its index has all records but the first.
func TestByWarcio(t *testing.T) {
	cli, err := filepath.Abs(webcapturetest.Program(t, "../../testdata/warc/node_modules/warcio/dist/cli.js"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	warc, _ := exported(t, site, export.Options{})
	if err := os.WriteFile("captures.warc.gz", warc, 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("node", cli, "cdx-index", "--format", "cdxj", "captures.warc.gz").Output()
	if err != nil {
		t.Fatal(err)
	}
	if got, want := strings.Count(string(out), "\n"), len(readAll(t, warc))-1; got != want {
		t.Errorf("warcio finds %d records, want %d:\n%s", got, want, out)
	}
}
