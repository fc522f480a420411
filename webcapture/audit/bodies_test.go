package audit_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/md5"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/webcap-tools/webcap/digest/source"
	"github.com/webcap-tools/webcap/webcapture/audit"
	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// The tests of stored bodies store a body in many ways, and compare the verdict of the audit with the one that follows
// from how the test made the source. The body is the text that the PDF has captured, or another text.

const bodyURL = "http://h/a.txt"

var (
	capturedText = []byte("<the text that was captured> " + strings.Repeat("0123456789 and more; ", 30) + "end.\n")
	otherText    = []byte("<a text of another day, not> " + strings.Repeat("abcdefghij and less; ", 30) + "end.\n")
)

// storage tells what an audit can conclude from a way to store a body.
type storage int

const (
	exact storage = iota // whole, in the coding that is declared: another text is a mismatch
	vague                // the text can be found; another one cannot be told from a damaged one
	lost                 // the text cannot be found
)

// want returns the expected verdict of a body; same means that it is the captured text.
func (s storage) want(same bool) rule.Proof {
	switch {
	case s == lost || !same && s == vague:
		return rule.NotCheckable
	case same:
		return rule.Verified
	}
	return rule.Mismatch
}

// bodyCase is a source of one body.
type bodyCase struct {
	name, file string
	data       []byte
	same       bool // the text is the captured one
	sure       storage
}

func encodeWith(make func(io.Writer) io.WriteCloser) func([]byte) []byte {
	return func(data []byte) []byte {
		var b bytes.Buffer
		w := make(&b)
		w.Write(data)
		w.Close()
		return b.Bytes()
	}
}

var (
	asGzip = encodeWith(func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) })
	asZlib = encodeWith(func(w io.Writer) io.WriteCloser { return zlib.NewWriter(w) })
	asRaw  = encodeWith(func(w io.Writer) io.WriteCloser { z, _ := flate.NewWriter(w, 6); return z })
	asBr   = encodeWith(func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) })
	asZstd = encodeWith(func(w io.Writer) io.WriteCloser { z, _ := zstd.NewWriter(w); return z })
	asIs   = func(data []byte) []byte { return data }
)

// spoiled returns the data with the byte at an offset from the end changed.
func spoiled(data []byte, fromEnd int) []byte {
	data = bytes.Clone(data)
	data[len(data)-fromEnd] ^= 0x55
	return data
}

var bodyCodings = []struct {
	name, field string
	encode      func([]byte) []byte
	sure        storage
}{
	{"none", "", asIs, exact},
	{"identity", "identity", asIs, exact},
	{"gzip", "gzip", asGzip, exact},
	{"x-gzip", "x-gzip", asGzip, exact},
	{"zlib", "deflate", asZlib, exact},
	{"br", "br", asBr, exact},
	{"zstd", "zstd", asZstd, exact},
	{"gzip in br", "gzip, br", func(b []byte) []byte { return asBr(asGzip(b)) }, exact},
	{"raw deflate", "deflate", asRaw, lost},
	{"gzip named deflate", "deflate", asGzip, vague},
	{"zlib named gzip", "gzip", asZlib, vague},
	{"gzip in quotation marks", `"gzip"`, asGzip, vague},
	{"gzip and NULs", "gzip", func(b []byte) []byte { return append(asGzip(b), 0, 0, 0) }, vague},
	{"gzip without trailer", "gzip", func(b []byte) []byte { z := asGzip(b); return z[:len(z)-8] }, vague},
	{"gzip with another CRC", "gzip", func(b []byte) []byte { return spoiled(asGzip(b), 7) }, vague},
	{"br and CRLF", "br", func(b []byte) []byte { return append(asBr(b), "\r\n"...) }, vague},
	{"gzip taken off", "gzip", asIs, vague},
	{"br taken off", "br", asIs, vague},
	{"zstd taken off", "zstd", asIs, vague},
	{"gzip named twice", "gzip, gzip", asGzip, vague},
	{"unknown name", "sdch", asIs, vague},
	{"br of an unknown name", "utf-8", asBr, lost},
	{"br named gzip", "gzip", asBr, lost},
	{"gzip undeclared", "", asGzip, vague},
	{"zlib undeclared", "", asZlib, vague},
	{"raw deflate undeclared", "", asRaw, lost},
	{"br undeclared", "", asBr, lost},
	{"zstd undeclared", "", asZstd, vague},
	{"half of gzip", "gzip", func(b []byte) []byte { z := asGzip(b); return z[:len(z)/2] }, lost},
}

// chunksOf returns data in chunks of 100 bytes.
func chunksOf(data []byte, lineEnd, last string) []byte {
	var b bytes.Buffer
	for c := range slices.Chunk(data, 100) {
		fmt.Fprintf(&b, "%x%s%s%s", len(c), lineEnd, c, lineEnd)
	}
	b.WriteString(last)
	return b.Bytes()
}

// longer is the name of the framing with more bytes than the header says.
const longer = "more than its length"

var bodyFramings = []struct {
	name  string
	frame func(stored []byte) (fields string, body []byte)
	sure  storage
}{
	{"no length", func(b []byte) (string, []byte) { return "", b }, exact},
	{"its length", func(b []byte) (string, []byte) { return fmt.Sprintf("Content-Length: %d\r\n", len(b)), b }, exact},
	{"a greater length", func(b []byte) (string, []byte) { return fmt.Sprintf("Content-Length: %d\r\n", len(b)+7), b }, vague},
	{"a stale length", func(b []byte) (string, []byte) { return "Content-Length: 3\r\n", b }, vague},
	{longer, func(b []byte) (string, []byte) {
		return fmt.Sprintf("Content-Length: %d\r\n", len(b)), append(bytes.Clone(b), "\r\nmore"...)
	}, vague},
	{"chunks", func(b []byte) (string, []byte) {
		return "Transfer-Encoding: chunked\r\n", chunksOf(b, "\r\n", "0\r\n\r\n")
	}, exact},
	{"chunks with a trailer", func(b []byte) (string, []byte) {
		return "Transfer-Encoding: chunked\r\n", chunksOf(b, "\r\n", "0\r\nA: b\r\n\r\n")
	}, exact},
	{"chunks taken off", func(b []byte) (string, []byte) { return "Transfer-Encoding: chunked\r\n", b }, vague},
	{"chunks undeclared", func(b []byte) (string, []byte) { return "", chunksOf(b, "\r\n", "0\r\n\r\n") }, vague},
	{"no last chunk", func(b []byte) (string, []byte) {
		return "Transfer-Encoding: chunked\r\n", chunksOf(b, "\r\n", "")
	}, vague},
	{"chunks that end in LF", func(b []byte) (string, []byte) {
		return "Transfer-Encoding: chunked\r\n", chunksOf(b, "\n", "0\n\n")
	}, lost},
	{"bytes after the chunks", func(b []byte) (string, []byte) {
		return "Transfer-Encoding: chunked\r\n", chunksOf(b, "\r\n", "0\r\n\r\nxyz")
	}, vague},
}

// httpReply returns a reply with a status line.
func httpReply(status, fields string, body []byte) []byte {
	return append([]byte("HTTP/1.1 "+status+"\r\nContent-Type: text/plain\r\n"+fields+"\r\n"), body...)
}

// warcOf returns a WARC record for bodyURL. fields are complete lines of its header.
func warcOf(kind, fields string, block []byte) []byte {
	return append(fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-02-01T10:00:00Z\r\n%s"+
		"Content-Length: %d\r\n\r\n", kind, bodyURL, fields, len(block)), append(bytes.Clone(block), "\r\n\r\n"...)...)
}

const httpType = "Content-Type: application/http; msgtype=response\r\n"

// arcOf returns an ARC file with two records: one with a block, whose length is wrong by off bytes, and a right one.
func arcOf(block []byte, off int) []byte {
	const about = "1 0 test\nURL IP-address Archive-date Content-type Archive-length\n"
	b := fmt.Appendf(nil, "filedesc://a.arc 0.0.0.0 20260201100000 text/plain %d\n%s\n", len(about), about)
	b = fmt.Appendf(b, "%s 127.0.0.1 20260201100000 text/plain %d\n%s\n", bodyURL, len(block)+off, block)
	next := httpReply("200 OK", "", []byte("next"))
	return fmt.Appendf(b, "http://h/next 127.0.0.1 20260201100000 text/plain %d\n%s\n", len(next), next)
}

// replyCases are all codings in all framings, in WARC records, and some in other containers.
func replyCases(same bool, text []byte) (list []bodyCase) {
	for i, c := range bodyCodings {
		for k, f := range bodyFramings {
			fields, body := f.frame(c.encode(text))
			if c.field != "" {
				fields += "Content-Encoding: " + c.field + "\r\n"
			}
			sure := max(c.sure, f.sure)
			if stored := c.encode(text); f.name == longer && bytes.Equal(stored, text) { // nothing shows where it ends
				sure = lost
			}
			one := bodyCase{c.name + ", " + f.name, "a.warc", warcOf("response", httpType, httpReply("200 OK", fields, body)),
				same, sure}
			list = append(list, one)
			switch (i + k) % 6 { // each coding and each framing in each container
			case 1:
				one.file, one.data = "a.arc", arcOf(httpReply("200 OK", fields, body), 0)
			case 2:
				one.file, one.data = "a.warc.gz", asGzip(one.data)
			case 3:
				one.file, one.data = "a.arc.gz", asGzip(arcOf(httpReply("200 OK", fields, body), 0))
			default:
				continue
			}
			list = append(list, one)
		}
	}
	return list
}

// bodyPDF returns a PDF that has captured data as an image, on the day of the sources of these tests.
func bodyPDF(data []byte) []byte { return imagePDF(bodyURL, data) }

// imagePDF returns a PDF with one image set. Its image does not show what was captured.
func imagePDF(url string, data []byte) []byte {
	doc, err := webcapturetest.Parse(fmt.Sprintf("names: << /URLS << /Names [ (%s) 5 0 R ] >> >>\n5 0 obj << /S /SIS "+
		"/ID <%x> /O [ ] /SI << /AU (%[1]s) >> /TS (D:20260201120000Z) >>\n", url, md5.Sum(data)))
	if err != nil {
		panic(err)
	}
	return doc.Bytes(webcapturetest.Layout{})
}

// verdictOf audits a PDF of one content set with a source of one body.
func verdictOf(t *testing.T, pdf []byte, c bodyCase) rule.Identity {
	t.Helper()
	list := verdictsOf(t, pdf, c)
	if len(list) != 1 {
		t.Fatalf("%d identities, want 1", len(list))
	}
	return list[0]
}

// verdictsOf audits a PDF with a source.
func verdictsOf(t *testing.T, pdf []byte, c bodyCase) []rule.Identity {
	t.Helper()
	path := filepath.Join(t.TempDir(), c.file)
	if err := os.WriteFile(path, c.data, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := source.Open("", path)
	if err != nil {
		return []rule.Identity{{Reason: err.Error()}} // nothing in the source is of use
	}
	defer src.Close()
	rep, err := audit.Bytes(t.Context(), "x.pdf", pdf, audit.Options{Source: src, SourceLost: src.Stats().Lost})
	if err != nil {
		t.Fatal(err)
	}
	return rep.Identities
}

// testBodies compares the verdicts of sources with those that are expected: a body that may be damaged is never a
// mismatch, and the captured text is verified unless it is lost.
func testBodies(t *testing.T, pdf []byte, list func(same bool, text []byte) []bodyCase) {
	for _, same := range []bool{true, false} {
		what, text := "the text", capturedText
		if !same {
			what, text = "another text", otherText
		}
		for _, c := range list(same, text) {
			t.Run(fmt.Sprintf("%s/%s/%s", c.file, c.name, what), func(t *testing.T) {
				got, want := verdictOf(t, pdf, c), c.sure.want(c.same)
				if got.Proof != want {
					t.Errorf("%v: %s (%s), want %v", got.Proof, got.Reason, got.Where, want)
				}
				if got.Proof == rule.NotCheckable && got.Reason == "" {
					t.Error("no reason is given")
				}
			})
		}
	}
}

func TestStoredReplies(t *testing.T) { testBodies(t, bodyPDF(capturedText), replyCases) }
