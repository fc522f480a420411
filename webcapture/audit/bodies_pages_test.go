package audit_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestStoredFiles: a page is no mismatch if a file that it refers to has another capture that may be what was retrieved.
func TestStoredFiles(t *testing.T) {
	const pageURL, styleURL = "http://h/p.html", "http://h/s.css"
	page := []byte(`<html><head><link rel="stylesheet" href="s.css"></head><body>page</body></html>`)
	list := []webcapturetest.Resource{{URL: pageURL, MediaType: "text/html", Body: page, Aux: []int{1}},
		{URL: styleURL, MediaType: "text/css", Body: capturedText}}
	pdf := webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	record := func(kind, url, media, fields, status, header string, body []byte) []byte {
		reply := bytes.Replace(httpReply(status, header, body), []byte("text/plain"), []byte(media), 1)
		return bytes.Replace(warcOf(kind, httpType+fields, reply), []byte(bodyURL), []byte(url), 1)
	}
	style := func(fields, status, header string, body []byte) []byte {
		return record("response", styleURL, "text/css", fields, status, header, body)
	}
	const ok = "200 OK"
	other := style("", ok, "", otherText)
	for _, row := range []struct {
		name string
		also []byte // another record of the style sheet
		want rule.Proof
	}{
		{"the other capture alone", nil, rule.Mismatch},
		{"and the one that was retrieved", style("", ok, "", capturedText), rule.Verified},
		{"and a third", style("", ok, "", []byte(strings.Repeat("third ", 9))), rule.Mismatch},
		{"and one that is truncated", style("WARC-Truncated: length\r\n", ok, "", capturedText[:40]), rule.NotCheckable},
		{"and one that is cut off", style("", ok, "Content-Length: 999\r\n", capturedText[:40]), rule.NotCheckable},
		{"and one in half of gzip", style("", ok, "Content-Encoding: gzip\r\n", asGzip(capturedText)[:30]), rule.NotCheckable},
		{"and a part", style("", "206 Partial Content", "", capturedText[:40]), rule.NotCheckable},
		{"and a segment", style("WARC-Segment-Number: 1\r\n", ok, "", capturedText[:40]), rule.NotCheckable},
		{"and half of a record", style("", ok, "", capturedText)[:300], rule.NotCheckable},
		{"and a revisit without its original",
			record("revisit", styleURL, "text/css", "WARC-Refers-To: <urn:uuid:9>\r\n", ok, "", nil), rule.NotCheckable},
	} {
		t.Run(row.name, func(t *testing.T) {
			main := record("response", pageURL, "text/html", "", ok, "", page)
			c := bodyCase{file: "a.warc", data: bytes.Join([][]byte{main, other, row.also}, nil)}
			if got := verdictsOf(t, pdf, c)[0]; got.URL != pageURL || got.Proof != row.want {
				t.Errorf("%s: %v: %s, want %v", got.URL, got.Proof, got.Reason, row.want)
			}
		})
	}
}

// TestNestedFiles: a page is no mismatch if a file is missing that its style sheet refers to.
func TestNestedFiles(t *testing.T) {
	page := []byte(`<html><head><link rel="stylesheet" href="s.css"></head><body>page</body></html>`)
	list := []webcapturetest.Resource{{URL: "http://h/p.html", MediaType: "text/html", Body: page, Aux: []int{1}},
		{URL: "http://h/s.css", MediaType: "text/css", Body: capturedText}}
	pdf := webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	record := func(url, media, body string) []byte {
		reply := bytes.Replace(httpReply("200 OK", "", []byte(body)), []byte("text/plain"), []byte(media), 1)
		return bytes.Replace(warcOf("response", httpType, reply), []byte(bodyURL), []byte(url), 1)
	}
	for _, row := range []struct {
		name, image string
		want        rule.Proof
	}{{"missing", "http://h/other.gif", rule.NotCheckable}, {"there", "http://h/d.gif", rule.Mismatch}} {
		t.Run(row.name, func(t *testing.T) {
			data := bytes.Join([][]byte{record("http://h/p.html", "text/html", string(page)),
				record("http://h/s.css", "text/css", "a { background: url(d.gif) }"), record(row.image, "image/gif", "GIF89a")}, nil)
			if got := verdictsOf(t, pdf, bodyCase{file: "a.warc", data: data})[0]; got.Proof != row.want {
				t.Errorf("%s: %v: %s, want %v", got.URL, got.Proof, got.Reason, row.want)
			}
		})
	}
}

// TestUndecodablePages: what a page refers to is not known if browsers do not decode it.
func TestUndecodablePages(t *testing.T) {
	page := []byte(`<html><body><img src="a.gif">page</body></html>`)
	list := []webcapturetest.Resource{{URL: "http://h/p.html", MediaType: "text/html", Body: page, Aux: []int{1}},
		{URL: "http://h/a.gif", MediaType: "image/gif", Body: capturedText}}
	pdf := webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	other := []byte(`<html><body>other page<img src="a.gif"></body></html>`)
	record := func(url, media string, body []byte) []byte {
		reply := bytes.Replace(httpReply("200 OK", "", body), []byte("text/plain"), []byte(media), 1)
		return bytes.Replace(warcOf("response", httpType, reply), []byte(bodyURL), []byte(url), 1)
	}
	for charset, want := range map[string]rule.Proof{"utf-8": rule.Mismatch, "latin1": rule.Mismatch,
		"iso-2022-kr": rule.NotCheckable, "utf-7": rule.NotCheckable} {
		t.Run(charset, func(t *testing.T) {
			data := append(record("http://h/p.html", "text/html; charset="+charset, other),
				record("http://h/a.gif", "image/gif", capturedText)...)
			for _, got := range verdictsOf(t, pdf, bodyCase{file: "a.warc", data: data}) {
				if got.URL == "http://h/p.html" && got.Proof != want {
					t.Errorf("%v: %s, want %v", got.Proof, got.Reason, want)
				}
			}
		})
	}
}
