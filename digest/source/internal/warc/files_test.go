package warc

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// filesOf describes the files of an archive, one per line, and the error at the end.
func filesOf(data []byte) (lines []string) {
	for f, err := range Files(bytes.NewReader(data), int64(len(data)), "a.warc") {
		if err != nil {
			return append(lines, "error: "+err.Error())
		}
		line := fmt.Sprintf("%s (%s) %q", f.URL, f.MediaType, f.Start)
		if f.Revisit {
			line += " revisit"
		}
		if f.Err != nil {
			line += ": " + f.Err.Error()
		}
		lines = append(lines, line)
	}
	return lines
}

// zlibOf compresses data.
func zlibOf(data string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	w.Write([]byte(data))
	w.Close()
	return b.String()
}

// TestFiles: what is known of the file of a record before the record is read.
func TestFiles(t *testing.T) {
	const url, pdf = "http://a/", "%PDF-1.7 text"
	reply := func(status, data string, fields ...string) string {
		return sourcetest.WARCRecord("response", url, sourcetest.Reply(status, data, fields...),
			"Content-Type: application/http")
	}
	gzipped := string(sourcetest.Gzip(pdf))
	for _, row := range []struct{ name, record, want string }{
		{"a response", reply("200 OK", pdf, "Content-Type: application/pdf"), `http://a/ (application/pdf) "%PDF-1.7 text"`},
		{"an error", reply("404 x", "no", "Content-Type: text/html"), `http://a/ () "no"`},
		{"a redirect", reply("302 x", "moved", "Location: /b"), `http://a/ () "moved"`},
		{"a redirect with a PDF", reply("302 x", pdf, "Location: /b"), `http://a/ () "%PDF-1.7 text"`},
		{"a part", reply("206 x", pdf, "Content-Range: bytes 0-3/20"),
			`http://a/ () "%PDF-1.7 text": a part of a file (status 206): bytes 0-3/20`},
		{"a part without a range", reply("206 x", pdf), `http://a/ () "%PDF-1.7 text": a part of a file (status 206)`},
		{"a part that is whole", reply("206 x", pdf, "Content-Range: bytes 0-12/13"), `http://a/ () "%PDF-1.7 text"`},
		{"gzip", reply("200 OK", gzipped, "Content-Encoding: gzip"), `http://a/ () "%PDF-1.7 text"`},
		{"not gzip", reply("200 OK", pdf, "Content-Encoding: gzip"), `http://a/ () "%PDF-1.7 text"`},
		{"gzip of text", reply("200 OK", gzipped, "Content-Encoding: gzip", "Content-Type: text/html"),
			`http://a/ (text/html) "%PDF-1.7 text"`},
		{"deflate of text", reply("200 OK", zlibOf(pdf), "Content-Encoding: deflate", "Content-Type: text/html"),
			`http://a/ (text/html) "%PDF-1.7 text"`},
		{"broken gzip of text", reply("200 OK", gzipMagic+"\xff", "Content-Encoding: gzip",
			"Content-Type: text/html"), `http://a/ (text/html) "\x1f\x8b\b\xff"`},
		{"gzip of HTML", reply("200 OK", string(sourcetest.Gzip("<html>")), "Content-Encoding: gzip",
			"Content-Type: text/html"), `http://a/ (text/html) "<html>"`},
		{"an unknown coding", reply("200 OK", pdf, "Content-Encoding: x-new"), `http://a/ () "%PDF-1.7 text"`},
		{"text in an unknown coding", reply("200 OK", "text", "Content-Encoding: x-new"),
			`http://a/ () "text": the header names the unknown coding "x-new"`},
		{"zlib", reply("200 OK", zlibOf(pdf)), `http://a/ () "%PDF-1.7 text"`},
		{"like zlib", reply("200 OK", "\x78\x9c no zlib"), `http://a/ () "x\x9c no zlib"`},
		{"no header", sourcetest.WARCRecord("response", url, pdf, "Content-Type: application/http"),
			`http://a/ () "%PDF-1.7 text"`},
		{"a header without an end", sourcetest.WARCRecord("response", url, "HTTP/1.1 200 OK\r\nA: b\r\n"),
			`http://a/ () "": the header does not end`},
		{"gzip of HTML with the name of a PDF", strings.Replace(reply("200 OK", string(sourcetest.Gzip("<html>")),
			"Content-Encoding: gzip", "Content-Type: text/html"), url, "http://a/b.pdf", 1),
			`http://a/b.pdf (text/html) "<html>"`},
		{"a resource", sourcetest.WARCRecord("resource", url, pdf, "Content-Type: application/pdf"),
			`http://a/ (application/pdf) "%PDF-1.7 text"`},
		{"a conversion", sourcetest.WARCRecord("conversion", url, pdf), `http://a/ () "%PDF-1.7 text"`},
		{"fields", sourcetest.WARCRecord("metadata", url, "a: b", "Content-Type: Application/WARC-Fields"), ""},
		{"warcinfo", sourcetest.WARCRecord("warcinfo", "", "a: b"), ""},
		{"a request", sourcetest.WARCRecord("request", url, "GET / HTTP/1.1\r\n\r\n"), ""},
		{"a request with a PDF", sourcetest.WARCRecord("request", url, "POST / HTTP/1.1\r\n\r\n"+pdf),
			""},
		{"a revisit", sourcetest.WARCRecord("revisit", url, sourcetest.Reply("200 OK", "")), `http://a/ () "" revisit`},
		{"a revisit with a PDF", sourcetest.WARCRecord("revisit", url, sourcetest.Reply("200 OK", pdf)),
			`http://a/ () "%PDF-1.7 text"`},
	} {
		t.Run(row.name, func(t *testing.T) {
			want := []string{row.want, `http://last/ (text/html) "x"`}
			if row.want == "" {
				want = want[1:]
			}
			for _, p := range sourcetest.Packings[:2] {
				got := filesOf(p.Pack([]string{row.record, sourcetest.PageRecord("http://last/", "x")}))
				sourcetest.Equal(t, "files of "+p.Name, got, want)
			}
		})
	}
}

// TestFilesOfDamagedArchives: damage is reported after all files.
func TestFilesOfDamagedArchives(t *testing.T) {
	first, last := sourcetest.PageRecord("http://first/", "1"), sourcetest.PageRecord("http://last/", "2")
	cut := strings.TrimSuffix(sourcetest.WARCRecord("resource", "http://cut/", "12345678"), "678\r\n\r\n")
	one, two := `http://first/ (text/html) "1"`, `http://last/ (text/html) "2"`
	segment := sourcetest.WARCRecord("resource", "http://a/", "one", "WARC-Segment-Number: 1")
	const parts = "error: parts of the file could not be read: "
	sum := sourcetest.Gzip(first)
	sum[len(sum)-8] ^= 1
	for _, row := range []struct {
		name, data string
		want       []string
	}{
		{"none", first + last, []string{one, two}},
		{"no data", "", []string{"error: the file has no records"}},
		{"text", "text\n", []string{"error: parts of the file could not be read: a range of bytes that is not a record " +
			"(1, the first in a.warc, byte 0)"}},
		{"noise", first + "noise\n" + last, []string{one, two, parts + "a range of bytes that is not a record (1, the " +
			fmt.Sprintf("first in a.warc, byte %d)", len(first))}},
		{"a cut", first + cut, []string{one, `http://cut/ () "12345": ` + reasonDamaged,
			parts + "a record that is cut off or has a wrong length (1, the first in a.warc, byte " +
				fmt.Sprint(len(first)) + ")"}},
		{"a wrong length", resourceOf("http://odd/", "odd data", -3) + last, []string{
			`http://odd/ () "odd d": ` + reasonDamaged, two,
			parts + "a record that is cut off or has a wrong length (1, the first in a.warc, byte 0)"}},
		{"a split record", segment + last, []string{`http://a/ () "one": a segment of a split record`, two}},
		{"a wrong checksum", string(sum) + string(sourcetest.Gzip(last)), []string{one + ": " + reasonDamaged, two,
			parts + "a compressed member that is damaged or cut off (1, the first in a.warc, byte 0)"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			got := filesOf([]byte(row.data))
			sourcetest.Equal(t, "files", got, row.want)
		})
	}
}

// TestFilesOnFailingDisk: an error of the disk comes last, whether the first bytes can be read or not.
func TestFilesOnFailingDisk(t *testing.T) {
	record := sourcetest.PageRecord("http://a/", strings.Repeat("x", 100))
	data := strings.Repeat(record, 10*maxRecordHeader/len(record))
	for _, good := range []int{0, len(data) / 2} {
		t.Run(fmt.Sprint(good), func(t *testing.T) {
			n := 0
			var last error
			for f, err := range Files(sourcetest.FailingFile{Data: data[:good]}, int64(len(data)), "a.warc") {
				if last = err; f != nil {
					n++
				}
			}
			if !errors.Is(last, sourcetest.ErrDisk) || (n > 0) != (good > 0) {
				t.Errorf("%d files, %v", n, last)
			}
		})
	}
	p := &Part{data: sourcetest.FailingFile{}, Size: 10}
	if err := p.sniff(); !errors.Is(err, sourcetest.ErrDisk) {
		t.Errorf("the compression is taken from what cannot be read: %v", err)
	}
}

// TestPDFOfFile: Body is the form of the file that begins like a PDF, if there is one.
func TestPDFOfFile(t *testing.T) {
	const pdf = "%PDF-1.7 text"
	late := "noise " + pdf
	gzipped := string(sourcetest.Gzip(pdf))
	for _, row := range []struct{ name, data, coding, want string }{
		{"a PDF", pdf, "", pdf},
		{"gzip", gzipped, "gzip", pdf},
		{"declared as gzip", pdf, "gzip", pdf},
		{"gzip of a late header", string(sourcetest.Gzip(late)), "gzip", late},
		{"a late header", late, "", late},
		{"text", "text", "", "text"},
		{"gzip of text", string(sourcetest.Gzip("text")), "gzip", "text"},
		{"text that is declared as gzip", "text", "gzip", "text"},
		{"undeclared gzip", gzipped, "", pdf},
		{"undeclared gzip of text", string(sourcetest.Gzip("text")), "", "text"},
	} {
		t.Run(row.name, func(t *testing.T) {
			var fields []string
			if row.coding != "" {
				fields = []string{"Content-Encoding: " + row.coding}
			}
			record := sourcetest.WARCRecord("response", "http://a/", sourcetest.Reply("200 OK", row.data, fields...),
				"Content-Type: application/http")
			for f, err := range Files(strings.NewReader(record), int64(len(record)), "a.warc") {
				if err != nil {
					t.Fatal(err)
				}
				r, err := f.Open()
				if err != nil {
					t.Fatal(err)
				}
				got, err := io.ReadAll(r)
				r.Close()
				if string(got) != row.want || err != nil {
					t.Errorf("%q, %v, want %q", got, err, row.want)
				}
			}
		})
	}
}
