package audit_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/webcap-tools/webcap/webcapture/audit/rule"
	"github.com/webcap-tools/webcap/webcapture/webcapturetest"
)

// TestStoredFiles: a page does not count as a mismatch if a file that it refers to has another capture that may be the
// retrieved one.
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

// TestNestedFiles: a page does not count as a mismatch if a file is missing that its style sheet refers to.
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

// TestUnknownReferences: a page that differs proves nothing if it may refer to files that are not known.
func TestUnknownReferences(t *testing.T) {
	page := []byte(`<html><body><img src="a.gif">page</body></html>`)
	list := []webcapturetest.Resource{{URL: "http://h/p.html", MediaType: "text/html", Body: page, Aux: []int{1}},
		{URL: "http://h/a.gif", MediaType: "image/gif", Body: capturedText}}
	pdf := webcapturetest.Site(list, webcapturetest.SiteOptions{}).Bytes(webcapturetest.Layout{})
	record := func(url, media string, body []byte) []byte {
		reply := bytes.Replace(httpReply("200 OK", "", body), []byte("text/plain"), []byte(media), 1)
		return bytes.Replace(warcOf("response", httpType, reply), []byte(bodyURL), []byte(url), 1)
	}
	const end, encoding = ", which may refer to other files", "the page is in an encoding that browsers do not decode"
	for _, row := range []struct{ name, charset, page, reason string }{
		{"UTF-8", "utf-8", "", ""},
		{"Latin-1", "latin1", "", ""},
		{"ISO-2022-KR", "iso-2022-kr", "", encoding},
		{"UTF-7", "utf-7", "", encoding},
		{"UTF-32", "utf-8", "\xff\xfe\x00\x00<\x00\x00\x00", encoding},
		{"a script", "utf-8", "<script>write()</script>", "the page has scripts" + end},
		{"a script in an attribute", "utf-8", "<body onload=x()>", "the page has scripts" + end},
		{"a script in a frame", "utf-8", "<iframe src=f.html>", "the page has scripts" + end},
		{"a comment", "utf-8", "<!-- if -->", ""},
		{"a conditional comment", "utf-8", "<!--[if IE]><img src=a.gif><![endif]-->", "the page has conditional comments" + end},
		{"an image of VML", "utf-8", "<v:imagedata src=a.gif>", "the page has elements of other markup languages" + end},
	} {
		t.Run(row.name, func(t *testing.T) {
			data := append(record("http://h/p.html", "text/html; charset="+row.charset, []byte(row.page+"other")),
				record("http://h/a.gif", "image/gif", capturedText)...)
			data = append(data, record("http://h/f.html", "text/html", []byte("<script src=a.gif></script>"))...)
			proof, reason := rule.NotCheckable, "no reading gives the ID, and "+row.reason
			if row.reason == "" {
				proof, reason = rule.Mismatch, "no reading of the source gives the ID"
			}
			for _, got := range verdictsOf(t, pdf, bodyCase{file: "a.warc", data: data}) {
				if got.URL == "http://h/p.html" && (got.Proof != proof || got.Reason != reason) {
					t.Errorf("%v: %s, want %v: %s", got.Proof, got.Reason, proof, reason)
				}
			}
		})
	}
}
