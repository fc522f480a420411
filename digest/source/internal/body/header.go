// Package body reads HTTP responses as stored by programs: their headers, and their bodies with codings removed.
package body

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/mail"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// Header is the header of an HTTP response (RFC 9112). It may have invalid forms that real programs store.
type Header struct {
	Status int // 0 if there is no status line
	Fields http.Header
	Size   int64 // size in bytes, including the empty line
}

// Get returns the value of a field; the first value if the field is repeated.
func (h *Header) Get(name string) string { return h.Fields.Get(name) }

// List returns the values of all fields with a name as one list (RFC 9110, 5.3).
func (h *Header) List(name string) string { return strings.Join(h.Fields.Values(name), ",") }

// ErrHeader means that a header does not end, or is too long.
var ErrHeader = errors.New("the header does not end")

// ReadHeader reads the header of a response: an optional status line, and fields up to an empty line. Lines may end
// in LF without CR. A line that begins with a blank continues the previous line. A line without a colon is ignored. The
// error is an error of r, or ErrHeader.
func ReadHeader(r *bufio.Reader) (*Header, error) {
	h := &Header{Fields: http.Header{}}
	last := "" // name of the last field
	for first := true; ; first = false {
		line, err := readLine(r, maxHeader-int(h.Size))
		h.Size += int64(len(line))
		if err != nil {
			return nil, err
		}
		text := string(bytes.TrimRight(line, "\r\n"))
		switch {
		case text == "":
			return h, nil
		case first && statusLine.MatchString(text):
			h.Status, _ = strconv.Atoi(strings.Fields(text)[1])
		case (text[0] == ' ' || text[0] == '\t') && last != "":
			values, blank := h.Fields[last], " "
			if last == "Content-Location" { // the line breaks of a URL are not part of it (RFC 2557, 4.4.2)
				blank = ""
			}
			values[len(values)-1] += blank + strings.TrimSpace(text)
		default:
			if name, value, ok := strings.Cut(text, ":"); ok {
				last = http.CanonicalHeaderKey(strings.TrimSpace(name))
				h.Fields[last] = append(h.Fields[last], strings.TrimSpace(value))
			}
		}
	}
}

// ReadReply is ReadHeader for a response that may follow interim responses (RFC 9110, 15.2). Size includes the interim
// responses.
func ReadReply(r *bufio.Reader) (*Header, error) {
	for size := int64(0); ; {
		h, err := ReadHeader(r)
		if err != nil {
			return nil, err
		}
		size += h.Size
		if h.Status/100 != 1 || size > maxHeader || !startsReply(r) {
			h.Size = size
			return h, nil
		}
	}
}

// startsReply reports whether the next line of r is a status line.
func startsReply(r *bufio.Reader) bool {
	next, _ := r.Peek(len("\xef\xbb\xbfHTTP/1.1 200"))
	return statusLine.Match(next)
}

// statusLine matches the beginning of a status line. It also accepts the status lines of streaming servers (ICY), and
// invalid status lines of real servers.
var statusLine = regexp.MustCompile(`^(\x{feff})?(?i:HTTP\S*|ICY) +\d{3}\b`)

// readLine reads a line with its end. The error is ErrHeader if the line exceeds limit bytes or has no end.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case len(line) > limit, err == io.EOF:
			return nil, ErrHeader
		case err != bufio.ErrBufferFull:
			return line, err
		}
	}
}

// Unusable returns the reason why the body of the response is not the resource of its URL; empty if it is. The body of
// an error response is usable, because a client showed it.
func (h *Header) Unusable() string {
	switch {
	case h.Status == http.StatusPartialContent:
		return "a part of a file (status 206)"
	case h.Status == http.StatusNotModified:
		return "a reply without a body (status 304)"
	case h.Status/100 == 1:
		return fmt.Sprintf("an interim reply (status %d)", h.Status)
	}
	return ""
}

// StatusDoubt returns the reason why the body of a usable response with a status may not be the resource of its URL;
// empty if there is none.
func StatusDoubt(status int) string {
	if status == http.StatusOK || status == http.StatusPartialContent {
		return ""
	}
	return fmt.Sprintf("the status of the reply is %d, not 200", status)
}

// Redirect returns the target of a redirect; empty for other responses.
func (h *Header) Redirect() string {
	if h.Status/100 == 3 {
		return h.Get("Location")
	}
	return ""
}

// Body returns the body whose stored data open returns, with the codings and the length that the fields declare.
func (h *Header) Body(open Opener) *Body {
	b := &Body{Open: open, Codings: h.codings()}
	n, err := strconv.ParseInt(h.Get("Content-Length"), 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		err = nil // n is the largest number, which exceeds any body
	}
	if err == nil && n >= 0 {
		b.Length, b.HasLength = n, true
	}
	return b
}

// IsCoded reports whether the response names a coding of its body.
func (h *Header) IsCoded() bool { return len(h.codings()) > 0 }

func (h *Header) codings() []string {
	return append(codingsOf(h.List("Transfer-Encoding")), codingsOf(h.List("Content-Encoding"))...)
}

// Date returns the time in the field Date; the zero time if the field is not in the format of mail (RFC 5322), which
// includes the usual one of HTTP.
func (h *Header) Date() time.Time {
	t, _ := mail.ParseDate(h.Get("Date")) // the zero time with an error
	return t.UTC()
}
