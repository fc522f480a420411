package audit_test

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"crypto/md5"
	"crypto/sha1"
	"encoding/base32"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"mime/quotedprintable"
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

// The tests of this file hold every way to store one body against a verdict that follows from how the test made the
// source, not from what webcap reads. The text that the PDF has captured is whole, or another one is in its place.

const bodyURL = "http://h/a.txt"

var (
	capturedText = []byte("<the text that was captured> " + strings.Repeat("0123456789 and more; ", 30) + "end.\n")
	otherText    = []byte("<a text of another day, not> " + strings.Repeat("abcdefghij and less; ", 30) + "end.\n")
)

// storage is how sure a way to store a body is.
type storage int

const (
	exact storage = iota // whole, in the coding that is declared: another text is a mismatch
	vague                // the text can be found; another one cannot be told from a damaged one
	lost                 // the text cannot be found
)

// want returns the verdict of a body that is stored in a way.
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

// spoiled returns the data with the byte at an offset from the end turned.
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
	{"raw deflate", "deflate", asRaw, vague},
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
	{"gzip undeclared", "", asGzip, vague},
	{"zlib undeclared", "", asZlib, vague},
	{"raw deflate undeclared", "", asRaw, vague},
	{"br undeclared", "", asBr, vague},
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

var bodyFramings = []struct {
	name  string
	frame func(stored []byte) (fields string, body []byte)
	sure  storage
}{
	{"no length", func(b []byte) (string, []byte) { return "", b }, exact},
	{"its length", func(b []byte) (string, []byte) { return fmt.Sprintf("Content-Length: %d\r\n", len(b)), b }, exact},
	{"a greater length", func(b []byte) (string, []byte) { return fmt.Sprintf("Content-Length: %d\r\n", len(b)+7), b }, vague},
	{"a stale length", func(b []byte) (string, []byte) { return "Content-Length: 3\r\n", b }, vague},
	{"more than its length", func(b []byte) (string, []byte) {
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
	}, vague},
	{"bytes after the chunks", func(b []byte) (string, []byte) {
		return "Transfer-Encoding: chunked\r\n", chunksOf(b, "\r\n", "0\r\n\r\nxyz")
	}, vague},
}

// httpReply returns a reply with a status line.
func httpReply(status, fields string, body []byte) []byte {
	return append([]byte("HTTP/1.1 "+status+"\r\nContent-Type: text/plain\r\n"+fields+"\r\n"), body...)
}

// warcOf returns a record. Fields are lines.
func warcOf(kind, fields string, block []byte) []byte {
	return append(fmt.Appendf(nil, "WARC/1.0\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: 2026-02-01T10:00:00Z\r\n%s"+
		"Content-Length: %d\r\n\r\n", kind, bodyURL, fields, len(block)), append(bytes.Clone(block), "\r\n\r\n"...)...)
}

const httpType = "Content-Type: application/http; msgtype=response\r\n"

// arcOf returns an ARC file of one record whose length is off by some bytes, and one more.
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
			one := bodyCase{c.name + ", " + f.name, "a.warc", warcOf("response", httpType, httpReply("200 OK", fields, body)),
				same, max(c.sure, f.sure)}
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

// recordCases are the kinds of records.
func recordCases(same bool, text []byte) (list []bodyCase) {
	add := func(name, file string, sure storage, data ...[]byte) {
		list = append(list, bodyCase{name, file, bytes.Join(data, nil), same, sure})
	}
	good := httpReply("200 OK", "", text)
	sha := func(b []byte) string {
		sum := sha1.Sum(b)
		return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
	}
	const id, refers = "WARC-Record-ID: <urn:uuid:1>\r\n", "WARC-Refers-To: <urn:uuid:1>\r\n"
	const profile = "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest\r\n"
	elsewhere := func(record []byte) []byte {
		return bytes.Replace(record, []byte(bodyURL), []byte("http://h/elsewhere"), 1)
	}
	add("resource", "a.warc", exact, warcOf("resource", "Content-Type: text/plain\r\n", text))
	add("resource without a type", "a.warc", exact, warcOf("resource", "", text))
	add("resource with a header in its block", "a.warc", vague, warcOf("resource", "Content-Type: text/plain\r\n", good))
	add("response without a type", "a.warc", exact, warcOf("response", "", good))
	add("response 404", "a.warc", vague, warcOf("response", httpType, httpReply("404 Not Found", "", text)))
	add("response 503", "a.warc", vague, warcOf("response", httpType, httpReply("503 Not now", "", text)))
	add("after 100 Continue", "a.warc", exact,
		warcOf("response", httpType, append([]byte("HTTP/1.1 100 Continue\r\n\r\n"), good...)))
	add("after a reply to CONNECT", "a.warc", vague,
		warcOf("response", httpType, append([]byte("HTTP/1.1 200 Connection established\r\n\r\n"), good...)))
	add("truncated", "a.warc", vague, warcOf("response", httpType+"WARC-Truncated: length\r\n", good))
	add("its digests", "a.warc", exact, warcOf("response", httpType+"WARC-Block-Digest: "+sha(good)+"\r\nWARC-Payload-Digest: "+
		sha(text)+"\r\n", good))
	add("another block digest", "a.warc", vague, warcOf("response", httpType+"WARC-Block-Digest: "+sha([]byte("x"))+"\r\n", good))
	add("another payload digest", "a.warc", vague,
		warcOf("response", httpType+"WARC-Payload-Digest: "+sha([]byte("x"))+"\r\n", good))
	original := elsewhere(warcOf("response", httpType+id+"WARC-Payload-Digest: "+sha(text)+"\r\n", good))
	add("revisit", "a.warc", exact, original,
		warcOf("revisit", httpType+profile+refers+"WARC-Payload-Digest: "+sha(text)+"\r\n", httpReply("200 OK", "", nil)))
	add("revisit without a digest", "a.warc", exact, original, warcOf("revisit", httpType+profile+refers, httpReply("200 OK", "", nil)))
	add("revisit of another digest", "a.warc", vague, original,
		warcOf("revisit", httpType+profile+refers+"WARC-Payload-Digest: "+sha([]byte("x"))+"\r\n", httpReply("200 OK", "", nil)))
	add("revisit of an unknown profile", "a.warc", vague, original,
		warcOf("revisit", httpType+"WARC-Profile: http://h/profile\r\n"+refers, httpReply("200 OK", "", nil)))
	add("revisit of a revisit", "a.warc", vague, original,
		elsewhere(warcOf("revisit", httpType+profile+refers+"WARC-Record-ID: <urn:uuid:2>\r\n", httpReply("200 OK", "", nil))),
		warcOf("revisit", httpType+profile+"WARC-Refers-To: <urn:uuid:2>\r\n", httpReply("200 OK", "", nil)))
	add("revisit without the original", "a.warc", lost,
		warcOf("revisit", httpType+profile+"WARC-Refers-To: <urn:uuid:9>\r\n", httpReply("200 OK", "", nil)))
	add("part of a file", "a.warc", lost, warcOf("response", httpType, httpReply("206 Partial Content", "", text[:50])))
	add("segments", "a.warc", vague,
		warcOf("response", httpType+id+"WARC-Segment-Number: 1\r\n", good[:200]),
		warcOf("continuation", "WARC-Segment-Origin-ID: <urn:uuid:1>\r\nWARC-Segment-Number: 2\r\n"+
			fmt.Sprintf("WARC-Segment-Total-Length: %d\r\n", len(good)), good[200:]))
	add("a segment without the others", "a.warc", lost, warcOf("response", httpType+id+"WARC-Segment-Number: 1\r\n", good[:200]))
	add("ARC, one byte too long", "a.arc", vague, arcOf(good, 1))
	add("ARC, one byte too short", "a.arc", vague, arcOf(good, -1))
	cut := asGzip(warcOf("response", httpType, httpReply("200 OK", "", slices.Concat(text, text))))
	add("a capture that cannot be read before", "a.warc.gz", vague, spoiledMember(cut), asGzip(warcOf("response", httpType, good)))
	add("a capture that cannot be read after", "a.warc.gz", vague, asGzip(warcOf("response", httpType, good)), spoiledMember(cut))
	add("a capture that is cut off before", "a.warc", vague,
		warcOf("response", httpType, httpReply("200 OK", "Content-Length: 99999\r\n", []byte("x"))), warcOf("response", httpType, good))
	add("an error before", "a.warc", exact,
		warcOf("response", httpType, httpReply("500 Oops", "", []byte("x"))), warcOf("response", httpType, good))
	return list
}

// spoiledMember returns a gzip member with an octet turned in its middle.
func spoiledMember(member []byte) []byte { return spoiled(member, len(member)/2) }

// harOf returns a HAR file with one entry. Content is what its content has, as JSON.
func harOf(status int, headers, content map[string]any) []byte {
	var fields []map[string]any
	for name, value := range headers {
		fields = append(fields, map[string]any{"name": name, "value": value})
	}
	data, err := json.Marshal(map[string]any{"log": map[string]any{"version": "1.2", "entries": []any{map[string]any{
		"startedDateTime": "2026-02-01T10:00:00Z", "request": map[string]any{"method": "GET", "url": bodyURL},
		"response": map[string]any{"status": status, "headers": fields, "content": content},
	}}}})
	if err != nil {
		panic(err)
	}
	return data
}

// latin1 returns text with its last line in ISO 8859-1, and as browsers decode it.
func latin1(text []byte) (sent []byte, decoded string) {
	return append(bytes.Clone(text), "K\xf6ln\n"...), string(text) + "Köln\n"
}

// harCases are bodies as browsers log them.
func harCases(same bool, text []byte) (list []bodyCase) {
	type object = map[string]any
	add := func(name string, sure storage, status int, headers, content object) {
		list = append(list, bodyCase{name, "a.har", harOf(status, headers, content), same, sure})
	}
	b64 := base64.StdEncoding.EncodeToString
	n := len(text)
	add("text", exact, 200, nil, object{"size": n, "mimeType": "text/plain", "text": string(text)})
	add("text of charset UTF-8", exact, 200, nil, object{"size": n, "mimeType": "text/plain; charset=utf-8", "text": string(text)})
	add("text without a size", vague, 200, nil, object{"mimeType": "text/plain", "text": string(text)})
	add("text of size 0", vague, 200, nil, object{"size": 0, "mimeType": "text/plain", "text": string(text)})
	add("text of size -1", vague, 200, nil, object{"size": -1, "mimeType": "text/plain; charset=iso-8859-1", "text": string(text)})
	add("text of another size", vague, 200, nil, object{"size": n + 3, "mimeType": "text/plain", "text": string(text)})
	add("text of status 0", vague, 0, nil, object{"size": n, "mimeType": "text/plain", "text": string(text)})
	add("text of status 404", vague, 404, nil, object{"size": n, "mimeType": "text/plain", "text": string(text)})
	add("text of an unknown encoding", vague, 200, nil, object{"size": n, "mimeType": "text/plain", "encoding": "utf8", "text": string(text)})
	add("UTF-16", vague, 200, nil, object{"mimeType": "text/plain; charset=utf-16le", "text": string(text)})
	add("base64", exact, 200, nil, object{"size": n, "mimeType": "text/plain", "encoding": "base64", "text": b64(text)})
	add("base64 without padding", vague, 200, nil,
		object{"size": n, "mimeType": "text/plain", "encoding": "base64", "text": strings.TrimRight(b64(text), "=")})
	add("base64 and garbage", vague, 200, nil, object{"size": n, "mimeType": "text/plain", "encoding": "base64", "text": b64(text) + "$"})
	add("base64 without a size", vague, 200, nil, object{"mimeType": "text/plain", "encoding": "base64", "text": b64(text)})
	add("base64 of another size", vague, 200, nil, object{"size": n + 9, "mimeType": "text/plain", "encoding": "base64", "text": b64(text)})
	for _, c := range []struct {
		name   string
		encode func([]byte) []byte
	}{{"gzip", asGzip}, {"br", asBr}, {"deflate", asZlib}, {"zstd", asZstd}} {
		for _, headers := range []object{nil, {"Content-Encoding": c.name}} {
			add(fmt.Sprintf("base64 of %s, %d headers", c.name, len(headers)), vague, 200, headers,
				object{"size": n, "mimeType": "text/plain", "encoding": "base64", "text": b64(c.encode(text))})
		}
	}
	return list
}

// charsetCases are texts that were not sent as UTF-8. The text is in ISO 8859-1 as it was sent.
func charsetCases(same bool, text []byte) (list []bodyCase) {
	type object = map[string]any
	_, decoded := latin1(text)
	replaced := strings.ReplaceAll(decoded, "ö", "\ufffd")
	for _, row := range []struct {
		name, media string
		size        any
		text        string
		sure        storage
	}{
		{"Latin-1, the size of the text", "text/plain; charset=iso-8859-1", len(decoded), decoded, vague},
		{"Latin-1, the size of the file", "text/plain; charset=iso-8859-1", len(decoded) - 1, decoded, vague},
		{"Latin-1, size 0", "text/plain; charset=iso-8859-1", 0, decoded, vague},
		{"Latin-1, size -1", "text/plain; charset=ISO-8859-1", -1, decoded, vague},
		{"Latin-1, quoted", `text/plain; charset="latin1"`, len(decoded), decoded, vague},
		{"Latin-1, no charset", "text/plain", len(decoded), decoded, vague},
		{"windows-1252", "text/plain; charset=windows-1252", len(decoded), decoded, vague},
		{"Latin-1, characters replaced", "text/plain; charset=utf-8", len(replaced), replaced, lost},
	} {
		content := object{"size": row.size, "mimeType": row.media, "text": row.text}
		list = append(list, bodyCase{row.name, "a.har", harOf(200, nil, content), same, row.sure})
	}
	return list
}

// mhtmlCases are parts of messages.
func mhtmlCases(same bool, text []byte) (list []bodyCase) {
	add := func(name, coding, body string, sure storage) {
		list = append(list, bodyCase{name, "a.mht", fmt.Appendf(nil, "From: <Saved by test>\r\nMIME-Version: 1.0\r\n"+
			"Content-Type: multipart/related; boundary=\"b\"\r\n\r\n--b\r\nContent-Type: text/plain\r\n%sContent-Location: %s\r\n\r\n"+
			"%s\r\n--b--\r\n", coding, bodyURL, body), same, sure})
	}
	const transfer = "Content-Transfer-Encoding: "
	var quoted bytes.Buffer
	w := quotedprintable.NewWriter(&quoted)
	w.Binary = true
	w.Write(text)
	w.Close()
	b64 := base64.StdEncoding.EncodeToString(text)
	add("binary", transfer+"binary\r\n", string(text), exact)
	add("8bit", transfer+"8bit\r\n", strings.ReplaceAll(string(text), "\n", "\r\n"), exact)
	add("no coding", "", strings.ReplaceAll(string(text), "\n", "\r\n"), exact)
	add("base64 in a part", transfer+"base64\r\n", b64, exact)
	add("base64 without padding in a part", transfer+"base64\r\n", strings.TrimRight(b64, "="), vague)
	add("base64 and garbage in a part", transfer+"base64\r\n", b64+"$$", vague)
	add("quoted-printable", transfer+"quoted-printable\r\n", quoted.String(), exact)
	add("quoted-printable without line ends", transfer+"quoted-printable\r\n",
		strings.NewReplacer("=\r\n", "=", "\r\n", "").Replace(quoted.String()), lost)
	add("quoted-printable in long lines", transfer+"quoted-printable\r\n", strings.ReplaceAll(quoted.String(), "=\r\n", ""), vague)
	add("quoted-printable with stray escapes", transfer+"quoted-printable\r\n", quoted.String()+"=zz", vague)
	add("unknown transfer coding", transfer+"x-uuencode\r\n", "begin 644 a", lost)
	return list
}

// missedBodies are the ways to store a body that webcap cannot verify though the text is there; docs/identifiers.md
// says why.
var missedBodies = map[string]string{}

// bodyPDF returns a PDF that has captured a text.
func bodyPDF(text []byte) []byte {
	list := []webcapturetest.Resource{{URL: bodyURL, MediaType: "text/plain", Body: text}}
	return webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
}

// verdictOf audits a PDF with a source of one body.
func verdictOf(t *testing.T, pdf []byte, c bodyCase) rule.Identity {
	t.Helper()
	path := filepath.Join(t.TempDir(), c.file)
	if err := os.WriteFile(path, c.data, 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := source.Open("", path, source.Options{})
	if err != nil {
		return rule.Identity{Reason: err.Error()} // nothing in the source is of use
	}
	defer src.Close()
	rep, err := audit.Bytes("x.pdf", pdf, audit.Options{Source: src})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Identities) != 1 {
		t.Fatalf("%d identities, want 1", len(rep.Identities))
	}
	return rep.Identities[0]
}

// TestStoredBodies: no body that may be damaged is a mismatch, and each that can be verified is.
func TestStoredBodies(t *testing.T) {
	sent, _ := latin1(capturedText)
	plain, accented := bodyPDF(capturedText), bodyPDF(sent)
	if md5.Sum(capturedText) == md5.Sum(otherText) {
		t.Fatal("the texts are the same")
	}
	counts := map[rule.Proof]int{}
	missed := map[string]bool{}
	run := func(pdf []byte, list []bodyCase) {
		for _, c := range list {
			what := map[bool]string{true: "the text", false: "another text"}[c.same]
			t.Run(fmt.Sprintf("%s/%s/%s", c.file, c.name, what), func(t *testing.T) {
				got, want := verdictOf(t, pdf, c), c.sure.want(c.same)
				counts[want]++
				if want == rule.Verified && got.Proof == rule.NotCheckable && missedBodies[c.name] != "" {
					missed[c.name] = true
					return
				}
				if got.Proof != want {
					t.Errorf("%v: %s (%s), want %v", got.Proof, got.Reason, got.Where, want)
				}
				if got.Proof == rule.NotCheckable && got.Reason == "" {
					t.Error("no reason is given")
				}
			})
		}
	}
	for _, same := range []bool{true, false} {
		text := map[bool][]byte{true: capturedText, false: otherText}[same]
		run(plain, replyCases(same, text))
		run(plain, recordCases(same, text))
		run(plain, harCases(same, text))
		run(plain, mhtmlCases(same, text))
		run(accented, charsetCases(same, text))
	}
	t.Logf("%d verified, %d mismatches, %d that cannot be checked", counts[rule.Verified], counts[rule.Mismatch],
		counts[rule.NotCheckable])
	for name := range missedBodies {
		if !missed[name] {
			t.Errorf("%s: is verified now, and need not be in the list", name)
		}
	}
	if len(missedBodies) > 10 {
		t.Errorf("%d bodies are missed, want 10 at most", len(missedBodies))
	}
}
