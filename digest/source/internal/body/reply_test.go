package body

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/sourcetest"
)

// TestReadReply: interim responses (RFC 9110, 15.2), a response to CONNECT, and an empty line may precede a response.
// Any other response is the response itself, even if its body looks like a response.
func TestReadReply(t *testing.T) {
	const ok, field = "HTTP/1.1 200 OK\r\n", "A: b\r\n"
	const missing = "HTTP/1.1 404 Not Found\r\n" + field + "\r\n"
	for _, row := range []struct {
		name, header, body string
		status             int
		tunneled           bool
	}{
		{"plain", missing, "body", 404, false},
		{"a body that is a response", missing, missing, 404, false},
		{"without fields", ok + "\r\n", "body", 200, false},
		{"without fields or body", ok + "\r\n", "", 200, false},
		{"after a response to CONNECT", ok + "\r\n" + missing, "body", 404, true},
		{"after one with fields", ok + field + "\r\n", missing, 200, false},
		{"after status 201", "HTTP/1.1 201 Created\r\n\r\n", missing, 201, false},
		{"after 100", "HTTP/1.1 100 Continue\r\n\r\n" + missing, "body", 404, false},
		{"after 103 with fields", "HTTP/1.1 103 Early Hints\r\n" + field + "\r\n" + missing, "body", 404, false},
		{"after 199 and 100", "HTTP/1.1 199 x\r\n\r\nHTTP/1.1 100 x\r\n\r\n" + missing, missing, 404, false},
		{"after CONNECT and 100", ok + "\r\nHTTP/1.1 100 x\r\n\r\n" + missing, "body", 404, true},
		{"after 100 and CONNECT", "HTTP/1.1 100 x\r\n\r\n" + ok + "\r\n" + missing, "body", 404, true},
		{"only 100", "HTTP/1.1 100 Continue\r\n\r\n", "body", 100, false},
		{"another protocol", "HTTP/1.1 101 Switching Protocols\r\n\r\n", missing, 101, false},
		{"after an empty line", "\r\n" + missing, "body", 404, false},
		{"an empty line, no response", "\r\n", "body", 0, false},
		{"fields without status", field + "\r\n", missing, 0, false},
		{"a status of nine hundred", "HTTP/1.1 999 x\r\n\r\n", missing, 999, false},
	} {
		t.Run(row.name, func(t *testing.T) {
			r := bufio.NewReader(strings.NewReader(row.header + row.body))
			h, err := ReadReply(r)
			if err != nil {
				t.Fatal(err)
			}
			rest, _ := io.ReadAll(r)
			if h.Status != row.status || h.Tunneled != row.tunneled || h.Size != int64(len(row.header)) ||
				string(rest) != row.body {
				t.Errorf("%+v, then %q", h, rest)
			}
		})
	}
	text := "HTTP/1.1 100 x\r\n\r\nHTTP/1.1 200 OK\r\nA: b"
	if _, err := ReadReply(bufio.NewReader(strings.NewReader(text))); err != ErrHeader {
		t.Errorf("a response that ends in its header: %v, want %v", err, ErrHeader)
	}
}

// TestStatusLines: a status line has a version and three digits; servers of streams send ICY.
func TestStatusLines(t *testing.T) {
	for line, status := range map[string]int{
		"HTTP/1.1 200 OK": 200, "HTTP/1.0 404": 404, "HTTP/2 304": 304, "http/1.1 200 ok": 200, "HTTP 200 OK": 200,
		"ICY 200 OK": 200, "icy 500": 500, "HTTP/1.1   200  OK": 200, "\ufeffHTTP/1.1 200 OK": 200,
		"HTTP/1.1 2000 OK": 0, "HTTP/1.1 20 OK": 0, "HTTP/1.1": 0, "HTTP/1.1 OK": 0, "XHTTP/1.1 200 OK": 0,
		"Status: 200 OK": 0, "200 OK": 0,
	} {
		t.Run(line, func(t *testing.T) {
			if got := StartsReply(bufio.NewReader(strings.NewReader(line + "\r\n\r\n"))); got != (status != 0) {
				t.Errorf("begins a response: %v", got)
			}
			if h := headerOf(t, line+"\r\n\r\n"); status != 0 && (h.Status != status || len(h.Fields) != 0) {
				t.Errorf("%+v", h)
			}
		})
	}
}

// TestKindsOfReply: the status says whether the body is usable, and whether there is a redirect.
func TestKindsOfReply(t *testing.T) {
	for status, unusable := range map[int]string{0: "", 1: "interim", 100: "interim", 199: "interim", 200: "", 201: "",
		205: "", 206: "part", 207: "", 225: "", 226: "delta", 227: "", 303: "", 304: "without a body", 305: "", 404: ""} {
		t.Run(fmt.Sprint(status), func(t *testing.T) {
			got := (&Header{Status: status}).Unusable()
			if (got == "") != (unusable == "") || !strings.Contains(got, unusable) {
				t.Errorf("%q, want %q", got, unusable)
			}
			if got != "" && !strings.Contains(got, fmt.Sprintf("status %d", status)) {
				t.Errorf("%q does not name the status", got)
			}
		})
	}
	for status, redirects := range map[int]bool{0: false, 299: false, 300: true, 307: true, 399: true, 400: false} {
		h := Header{Status: status, Fields: []Field{{"Location", "/x"}}}
		if got := h.Redirect(); (got == "/x") != redirects || got != "" && !redirects {
			t.Errorf("status %d redirects to %q", status, got)
		}
	}
}

// TestCodingsInHeader: which codings a header names, and which of them are unknown.
func TestCodingsInHeader(t *testing.T) {
	for _, row := range []struct {
		fields, unknown string
		coded           bool
	}{
		{"", "", false},
		{"Content-Encoding: identity\n", "", false},
		{"Content-Encoding: , ,\n", "", false},
		{"Content-Encoding: gzip, x-gzip, deflate, br, zstd\n", "", true},
		{"Content-Encoding: 'gzip'\n", "", true},
		{"Content-Encoding: \"br\"\n", "", true},
		{"Content-Encoding: gzip, SDCH\n", "sdch", true},
		{"Content-Encoding: sdch\nContent-Encoding: gzip\n", "sdch", true},
		{"Content-Encoding: one, two\n", "two", true}, // the last one is removed first
		{"Content-Encoding: chunked\n", "chunked", true},
		{"Transfer-Encoding: chunked\n", "", true},
		{"Transfer-Encoding: identity\n", "", false},
		{"Transfer-Encoding: sdch\n", "", true}, // not a content coding
	} {
		t.Run(row.fields, func(t *testing.T) {
			h := headerOf(t, row.fields+"\n")
			if unknown, isCoded := h.UnknownCoding(), h.IsCoded(); unknown != row.unknown || isCoded != row.coded {
				t.Errorf("unknown %q, coded %v, want %q, %v", unknown, isCoded, row.unknown, row.coded)
			}
		})
	}
	h := headerOf(t, "A: 1\nb: 2\na: 3\n\n")
	if got := h.List("A"); got != "1,3" {
		t.Errorf("list %q", got)
	}
}

// TestDeclaredLengthInPieces: the length of a body is checked at its end, however it is read. After a failure of the
// disk, it is unknown.
func TestDeclaredLengthInPieces(t *testing.T) {
	const data = "the body"
	disk := errors.New("disk failure")
	for _, row := range []struct {
		length    int
		end, want error
	}{
		{len(data), io.EOF, nil}, {len(data) + 1, io.EOF, errIncomplete}, {len(data) - 1, io.EOF, errLonger},
		{len(data), disk, disk}, {len(data) + 1, disk, disk}, {len(data) - 1, disk, disk},
	} {
		t.Run(fmt.Sprint(row.length, row.end), func(t *testing.T) {
			h := headerOf(t, fmt.Sprintf("Content-Length: %d\n\n", row.length))
			list := h.Bodies(func() (io.ReadCloser, error) {
				in := io.MultiReader(strings.NewReader(data), iotest.ErrReader(row.end))
				return io.NopCloser(iotest.OneByteReader(in)), nil
			})
			if got, err := sourcetest.ReadAll(list[0]); string(got) != data || err != row.want {
				t.Errorf("%q, %v, want %v", got, err, row.want)
			}
		})
	}
}

// TestDamageExplainsFlaws: if the stored data are damaged, this explains why they do not match their coding.
func TestDamageExplainsFlaws(t *testing.T) {
	damage := &capture.Flaw{Reason: "damaged", Damaged: true}
	gz := coded(t, "gzip", "the body")
	for name, stored := range map[string]string{"another coding": "text", "cut off": gz[:12], "whole": gz} {
		t.Run(name, func(t *testing.T) {
			list := headerOf(t, "Content-Encoding: gzip\n\n").Bodies(func() (io.ReadCloser, error) {
				return io.NopCloser(io.MultiReader(strings.NewReader(stored), iotest.ErrReader(damage))), nil
			})
			if _, err := sourcetest.ReadAll(list[1]); err != damage {
				t.Errorf("%v, want %v", err, damage)
			}
		})
	}
}
