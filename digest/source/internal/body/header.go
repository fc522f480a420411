// Package body reads HTTP responses as stored by programs: their headers, and their bodies with codings removed.
package body

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"
)

// Header is the header of an HTTP response (RFC 9112). It may have invalid forms that real programs store.
type Header struct {
	Status int // 0 if there is no status line
	Reason string
	Fields []Field
	Size   int64 // size in bytes, including the empty line

	Tunneled bool // a response to CONNECT precedes this response
}

// Field is a field of a header. Unbroken is its value without blanks at line breaks; empty if there are no line breaks.
type Field struct{ Name, Value, Unbroken string }

// Get returns the value of a field; the last value if the field is repeated. It ignores the case of the name.
func (h *Header) Get(name string) string {
	v := ""
	for _, f := range h.Fields {
		if strings.EqualFold(f.Name, name) {
			v = f.Value
		}
	}
	return v
}

// List returns the values of all fields with a name as one list (RFC 9110, 5.3).
func (h *Header) List(name string) string {
	var values []string
	for _, f := range h.Fields {
		if strings.EqualFold(f.Name, name) {
			values = append(values, f.Value)
		}
	}
	return strings.Join(values, ",")
}

var ErrHeader = errors.New("the header does not end")

// ReadHeader reads the header of a response: an optional status line, and fields up to an empty line. Lines may end
// in LF without CR. A line that begins with a blank continues the previous line. A line without a colon is ignored. The
// error is an error of r, or ErrHeader.
func ReadHeader(r *bufio.Reader) (*Header, error) {
	h := &Header{}
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
		case first && (strings.HasPrefix(text, "HTTP/") || statusLine.MatchString(text)):
			h.StatusLine(text)
		case (text[0] == ' ' || text[0] == '\t') && len(h.Fields) > 0:
			f := &h.Fields[len(h.Fields)-1]
			f.Unbroken = cmp.Or(f.Unbroken, f.Value) + strings.TrimSpace(text)
			f.Value += " " + strings.TrimSpace(text)
		default:
			if name, value, ok := strings.Cut(text, ":"); ok {
				h.Fields = append(h.Fields, Field{Name: strings.TrimSpace(name), Value: strings.TrimSpace(value)})
			}
		}
	}
}

// ReadReply is ReadHeader for a response that may follow interim responses (RFC 9110, 15.2). Size includes the interim
// responses. If a response to CONNECT precedes the response, Tunneled is true.
func ReadReply(r *bufio.Reader) (*Header, error) {
	var size int64
	tunneled := false
	for {
		h, err := ReadHeader(r)
		if err != nil {
			return h, err
		}
		connected := h.Status == http.StatusOK && len(h.Fields) == 0
		blank := h.Status == 0 && len(h.Fields) == 0 // empty lines before the status line (RFC 9112, 2.2)
		interim := h.Status/100 == 1 && h.Status != http.StatusSwitchingProtocols
		if !connected && !blank && !interim || !StartsReply(r) {
			h.Size += size
			h.Tunneled = tunneled
			return h, nil
		}
		size += h.Size
		tunneled = tunneled || connected
		if size > maxHeader {
			return nil, ErrHeader
		}
	}
}

// StartsReply reports whether the next line of r is a status line.
func StartsReply(r *bufio.Reader) bool {
	next, _ := r.Peek(len("\xef\xbb\xbfHTTP/1.1 200"))
	return statusLine.Match(next)
}

// statusLine matches the beginning of a status line. It also accepts the status lines of streaming servers (ICY), and
// invalid status lines of real servers.
var statusLine = regexp.MustCompile(`^(?i:(\x{feff})?(HTTP(/\d(\.\d)?)?|ICY) +\d{3}\b)`)

// readLine reads a line with its end. The error is ErrHeader if the line exceeds limit bytes or has no end.
func readLine(r *bufio.Reader, limit int) (line []byte, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > limit {
			return nil, ErrHeader
		}
		switch {
		case err == nil && line == nil:
			return part, nil
		case err == nil:
			return append(line, part...), nil
		case err == io.EOF:
			return nil, ErrHeader
		case err != bufio.ErrBufferFull:
			return nil, err
		}
		line = append(line, part...)
	}
}

func (h *Header) StatusLine(line string) {
	_, rest, _ := strings.Cut(line, " ")
	code, reason, _ := strings.Cut(strings.TrimLeft(rest, " "), " ")
	h.Status, _ = strconv.Atoi(code)
	h.Reason = strings.TrimSpace(reason)
}

// Unusable returns the reason why the body of the response is not the resource of its URL; empty if it is. The body of
// an error response is usable, because a client showed it.
func (h *Header) Unusable() string {
	switch {
	case h.Status == 206:
		return "a part of a file (status 206)"
	case h.Status == 226:
		return "a delta to another file (status 226)"
	case h.Status == 304:
		return "a reply without a body (status 304)"
	case h.Status != 0 && h.Status < 200:
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
	b := &Body{Open: open, Codings: append(codingsOf(h.List("Transfer-Encoding")),
		codingsOf(h.List("Content-Encoding"))...)}
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
func (h *Header) IsCoded() bool {
	return len(codingsOf(h.List("Transfer-Encoding"))) > 0 || len(codingsOf(h.List("Content-Encoding"))) > 0
}
