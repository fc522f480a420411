package archive

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/digest/meter"
)

// message is a WARC record of a reply with a status line and fields of its own.
func message(url, head, body string) string {
	return record("response", url, "application/http;msgtype=response", "HTTP/1.1 "+head+"\r\n\r\n"+body)
}

// withField adds a field to the header of a WARC record.
func withField(record, field string) string {
	return strings.Replace(record, "\r\n", "\r\n"+field+"\r\n", 1)
}

// withoutType removes an empty Content-Type from the header of a WARC record.
func withoutType(record string) string { return strings.Replace(record, "Content-Type: \r\n", "", 1) }

func zlibOf(s string) string {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	io.WriteString(w, s)
	w.Close()
	return b.String()
}

// The files of all records are audited if they are whole, and named with a reason if they are not.
func TestRecordsWithPDFs(t *testing.T) {
	const url = "http://a.example/a.pdf"
	whole := func(body string) string {
		return message(url, fmt.Sprintf("206 Partial Content\r\nContent-Type: application/pdf\r\n"+
			"Content-Range: bytes 0-%d/%d",
			len(body)-1, len(body)), body)
	}
	original := withField(reply("http://o.example/o.pdf", "Content-Type: application/pdf\r\n", pdf("o")),
		"WARC-Payload-Digest: sha1:AAA")
	again := func(field string) string {
		return withField(record("revisit", url, "application/http",
			"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"),
			field)
	}
	segment := withField(message(url, "200 OK", pdf("s")), "WARC-Segment-Number: 1")
	for _, tt := range []struct {
		name, data string
		want       []string
	}{
		{"a part that is the whole file", whole(pdf("w")), []string{"x!" + url + "=w"}},
		{"a part", message(url, "206 Partial Content\r\nContent-Type: application/pdf\r\nContent-Range: bytes 0-9/99",
			pdf("p")),
			[]string{"x!" + url + ": a part of a file (status 206): bytes 0-9/99"}},
		{"a part that begins as a PDF", message(url, "206 Partial Content", pdf("p")),
			[]string{"x!" + url + ": a part of a file (status 206)"}},
		{"a part of something else", message("http://a.example/a.png", "206 Partial Content", "png"), nil},
		{"after 100 Continue", message(url, "100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Type: application/pdf",
			pdf("c")),
			[]string{"x!" + url + "=c"}},
		{"a resource without a type", withoutType(record("resource", url, "", pdf("r"))), []string{"x!" + url + "=r"}},
		{"a conversion", record("conversion", url, "application/pdf", pdf("v")), []string{"x!" + url + "=v"}},
		{"a conversion without a type", withoutType(record("conversion", url, "", pdf("v"))),
			[]string{"x!" + url + "=v"}},
		{"metadata of a program", record("metadata", url, "application/warc-fields", "via: "+pdf("m")), nil},
		{"a type without a PDF", reply(url, "Content-Type: Application/PDF\r\n", "no"), []string{"x!" + url + "=no"}},
		{"an error without a PDF", message(url, "404 Not Found\r\nContent-Type: application/pdf", "no"), nil},
		{"a name and no type", reply(url, "Content-Type: application/octet-stream\r\n", "no"),
			[]string{"x!" + url + "=no"}},
		{"a name, and a page", reply(url, "Content-Type: text/html\r\n", "<html>"), nil},
		{"program text", reply("http://a.example/a.go", "Content-Type: text/plain\r\n", `s := "%PDF-1.4"`), nil},

		{"a revisit of nothing", again("WARC-Payload-Digest: sha1:ZZZ"), nil},
		{"a revisit by digest", original + again("WARC-Payload-Digest: sha1:AAA"),
			[]string{"x!http://o.example/o.pdf=o"}},
		{"a revisit by digest, before", again("WARC-Payload-Digest: sha1:AAA") + original,
			[]string{"x!http://o.example/o.pdf=o"}},
		{"a revisit by URL and date", original + again("WARC-Refers-To-Target-URI: http://o.example/o.pdf\r\n"+
			"WARC-Refers-To-Date: 2020-01-01T00:00:00Z"), []string{"x!http://o.example/o.pdf=o"}},
		{"a revisit in another file", storedZip(t, file{"a.warc", again("WARC-Payload-Digest: sha1:AAA")},
			file{"b.warc", original}),
			[]string{"x!b.warc!http://o.example/o.pdf=o"}},
		{"a revisit without a block", withoutType(withField(record("revisit", url, "", ""),
			"WARC-Payload-Digest: sha1:ZZZ")), nil},
		{"a revisit of status 304", withField(record("revisit", url, "application/http", "HTTP/1.1 304 Not Modified\r\n\r\n"),
			"WARC-Payload-Digest: sha1:ZZZ"), nil},
		{"a revisit of a page", record("revisit", url, "application/http",
			"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"), nil},

		{"a revisit with its file", withField(record("revisit", url, "application/http",
			"HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"+pdf("r")), "WARC-Payload-Digest: sha1:ZZZ"),
			[]string{"x!" + url + "=r"}},

		{"a reply without a header", record("response", url, "application/http", pdf("h")), []string{"x!" + url + "=h"}},
		{"a reply without a header, and an empty line", record("response", url, "application/http", pdf("h\n\nl")),
			[]string{"x!" + url + "=h\n\nl"}},
		{"a redirect with a file", message(url, "302 Found\r\nLocation: /x", pdf("r")), []string{"x!" + url + "=r"}},
		{"a redirect with a page", message(url, "302 Found\r\nLocation: /x", "<html>"), nil},
		{"a segment", segment, []string{"x!" + url + ": a segment of a split record"}},
		{"segments of a page", strings.Replace(segment, pdf("s"), "<html> 12", 1), nil},
		{"something named as a disk image", reply("http://a.example/x.iso", "", "<html>"), nil},

		{"a zip", reply("http://a.example/z", "", zipOf(t, file{"in.pdf", pdf("i")})),
			[]string{"x!http://a.example/z!in.pdf=i"}},
		{"a tar.gz", reply("http://a.example/t.tgz", "Content-Type: application/gzip\r\n",
			gz(tarOf(t, file{"in.pdf", pdf("i")}))),
			[]string{"x!http://a.example/t.tgz!in.pdf=i"}},
		{"a zip in chunks", reply("http://a.example/z", "Transfer-Encoding: chunked\r\n",
			fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(storedZip(t, file{"in.pdf", pdf("i")})),
				storedZip(t, file{"in.pdf", pdf("i")}))),
			[]string{"x!http://a.example/z!in.pdf=i"}},
		{"a 7z archive", reply("http://a.example/z", "", "7z\xbc\xaf\x27\x1c\x00\x04"),
			[]string{"x!http://a.example/z: not an " +
				"archive that webcap can read; unpack it, or make it a zip or tar file"}},

		{"gzip of another type", reply("http://a.example/g",
			"Content-Type: application/octet-stream\r\nContent-Encoding: gzip\r\n",
			gz(pdf("g"))), []string{"x!http://a.example/g=g"}},
		{"gzip of octets that is not declared", reply("http://a.example/x",
			"Content-Type: application/octet-stream\r\n", gz(pdf("u"))), []string{"x!http://a.example/x=u"}},
		{"gzip without a type that is not declared", reply("http://a.example/x", "", gz(pdf("u"))),
			[]string{"x!http://a.example/x=u"}},
		{"a PDF as text, by gzip", reply(url+"?id=1", "Content-Type: text/plain\r\nContent-Encoding: gzip\r\n",
			gz(pdf("t"))), []string{"x!" + url + "?id=1=t"}},
		{"a PDF as text without its name, by gzip", reply("http://a.example/x",
			"Content-Type: text/plain\r\nContent-Encoding: gzip\r\n", gz(pdf("t"))), []string{"x!http://a.example/x=t"}},
		{"a PDF as text without its name, by zlib", reply("http://a.example/x",
			"Content-Type: text/html\r\nContent-Encoding: deflate\r\n", zlibOf(pdf("t"))), []string{"x!http://a.example/x=t"}},
		{"zlib that is not declared", reply("http://a.example/x", "", zlibOf(pdf("z"))),
			[]string{"x!http://a.example/x=z"}},
		{"a page named as an archive", reply("http://a.example/x.zip", "Content-Type: text/html\r\n", "<html>") +
			reply("http://a.example/x.tar", "", "<html>") + reply("http://a.example/x.pdf.gz", "", "<html>"), nil},
		{"a page by gzip", reply(url, "Content-Type: text/html\r\nContent-Encoding: gzip\r\n", gz("<html>")), nil},
		{"a document that is a zip, by gzip", reply("http://a.example/x.docx",
			"Content-Type: application/vnd.openxmlformats\r\nContent-Encoding: gzip\r\n",
			gz(zipOf(t, file{"in.pdf", pdf("i")}))), []string{"x!http://a.example/x.docx!in.pdf=i"}},
		{"gzip with bytes after it", reply(url, "Content-Type: application/pdf\r\nContent-Encoding: gzip\r\n",
			gz(pdf("g"))+"junk"),
			[]string{"x!" + url + "=g"}},
		{"the last chunk is missing", reply(url, "Content-Type: application/pdf\r\nTransfer-Encoding: chunked\r\n",
			"a\r\n"+pdf("c")+"\r\n"), []string{"x!" + url + "=c"}},
		{"chunks that are not declared",
			reply(url, "Content-Type: application/pdf\r\n", "a\r\n"+pdf("c")+"\r\n0\r\n\r\n"),
			[]string{"x!" + url + "=c"}},
		{"chunks that are declared, and joined",
			reply(url, "Content-Type: application/pdf\r\nTransfer-Encoding: chunked\r\n", pdf("c")),
			[]string{"x!" + url + "=c"}},
		{"a wrong block digest", withField(reply(url, "Content-Type: application/pdf\r\n", pdf("b")),
			"WARC-Block-Digest: sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"), []string{"x!" + url + "=b"}},
		{"a declared length that is that of the coded body",
			reply(url, "Content-Type: application/pdf\r\nContent-Length: 9\r\n",
				pdf("b")), []string{"x!" + url + "=b"}},
		{"a header that is too long", reply(url,
			"Content-Type: application/pdf\r\nX: "+strings.Repeat("x", 80<<10)+"\r\n", pdf("l")),
			[]string{"x!" + url + "=l"}},
		{"a bad record before a good one",
			gz(reply("http://a.example/b.pdf", "Content-Type: application/pdf\r\nContent-Encoding: br\r\n",
				"no")) + gz(reply(url, "Content-Type: application/pdf\r\n", pdf("g"))),
			[]string{"x!http://a.example/b.pdf=no", "x!" + url + "=g"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := contents(t, "x", tt.data); !slices.Equal(got, tt.want) {
				t.Errorf("members\n%.500q, want\n%q", got, tt.want)
			}
		})
	}
}

// A WARC file in zstd, with or without a dictionary, is an input with the remedy.
func TestWARCInZstd(t *testing.T) {
	const want = "x.warc.zst: webcap does not read WARC files in zstd; decompress the file first, e.g. with zstd -d"
	for name, data := range map[string]string{
		"frames":     zst(record("resource", "http://h/a.pdf", "application/pdf", pdf("a"))),
		"dictionary": zstdDict + "\x04\x00\x00\x00dict" + zst("x")} {
		t.Run(name, func(t *testing.T) {
			if got := contents(t, "x.warc.zst", data); len(got) != 1 || got[0] != want {
				t.Errorf("%q", got)
			}
		})
	}
}

// A record that is a bomb becomes a member with an error, and the records after it are read.
func TestBombsInWARC(t *testing.T) {
	if testing.Short() {
		t.Skip("it decodes more than 2 GB")
	}
	healthy := func(name string) string {
		return gz(reply("http://a.example/"+name, "Content-Type: application/pdf\r\n", pdf(name)))
	}
	var b bytes.Buffer
	b.WriteString(healthy("1.pdf"))
	for i := range 2 {
		const size = int64(3 << 30)
		z, _ := gzip.NewWriterLevel(&b, gzip.BestSpeed)
		head := "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"
		fmt.Fprintf(z, "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/bomb%d.pdf\r\n"+
			"Content-Type: application/http\r\nContent-Length: %d\r\n\r\n%s", i, size+int64(len(head)), head)
		zeros := make([]byte, 1<<20)
		for range size >> 20 {
			z.Write(zeros)
		}
		z.Close()
		b.WriteString(healthy(fmt.Sprintf("after%d.pdf", i)))
	}
	got := contents(t, "x", b.String())
	want := []string{"x!http://a.example/1.pdf=1.pdf", "x!http://a.example/bomb0.pdf: " + (meter.Over{}).Error()}
	if len(got) != len(want)+1 || !slices.Equal(got[:len(want)], want) {
		t.Errorf("members %q, want %q, and what is wrong with the file", got, want)
	}
}
