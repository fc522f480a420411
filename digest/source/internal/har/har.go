// Package har opens HTTP Archives, the logs of browsers, and MHTML files, the pages that browsers save.
package har

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// File is an HTTP Archive 1.2: the log of the requests of a browser, in JSON. Codings of bodies are removed. Text is in
// UTF-8, which may differ from the original encoding.
type File struct {
	path  string
	limit int // maximum size of an entry
}

// New returns the HAR file at a path.
func New(path string) *File { return &File{path, maxEntry} }

// String returns the path.
func (h *File) String() string { return h.path }

// harEntry holds the used members of an entry of log.entries.
type harEntry struct {
	StartedDateTime string
	Request         struct{ Method, URL string }
	Response        struct {
		Status      int
		Headers     []struct{ Name, Value string }
		RedirectURL string
		Error       string `json:"_error"` // Chromium writes it for an aborted transfer
		Content     struct {
			Size               float64 // some programs write a fraction
			MimeType, Encoding string
			File               string `json:"_file"` // Playwright stores the body in a file next to the HAR file
			Text               *string
			isText             bool // the text is not in the declared base64
		}
	}
}

// Scan finds the entries. Those after damage are lost.
func (h *File) Scan(s *capture.Scan) error {
	file, err := localfile.Open(h.path)
	if err != nil {
		return err
	}
	defer file.Close()
	s.Start(localfile.OpenSize(file))
	mark, in := int64(0), bufio.NewReaderSize(s.Reader(file), 1<<16)
	if b, _ := in.Peek(len(localfile.ByteOrderMark)); string(b) == localfile.ByteOrderMark {
		in.Discard(len(b))
		mark = int64(len(b))
	}
	dec := json.NewDecoder(in)
	if err := findEntries(dec); err != nil {
		return err
	}
	at := mark + dec.InputOffset()
	entries := bufio.NewScanner(io.MultiReader(dec.Buffered(), in))
	entries.Buffer(nil, h.limit)
	entries.Split(splitEntries)
	for entries.Scan() {
		data := bytes.TrimLeft(entries.Bytes(), ", \t\r\n")
		at += int64(len(entries.Bytes()))
		if len(data) > 0 {
			h.index(s, data, at-int64(len(data)))
		}
	}
	switch err := entries.Err(); {
	case err == bufio.ErrTooLong:
		s.SkipCapped(h.where(at), fmt.Sprintf("an entry larger than %d bytes, and all later entries", h.limit))
	case err == errDamaged && s.Kept > 0:
		s.SkipLost(h.where(at), "damaged JSON, and all later entries")
	case err != nil:
		return err
	}
	return nil
}

var errDamaged = errors.New("the JSON is damaged")

// splitEntries is a bufio.SplitFunc for the elements of a list in JSON. It does not check the elements, so an invalid
// one does not hide the next.
func splitEntries(data []byte, atEOF bool) (n int, entry []byte, err error) {
	depth, quoted := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{', c == '[':
			depth++
		case depth > 0 && (c == '}' || c == ']'):
			if depth--; depth == 0 {
				return i + 1, data[:i+1], nil
			}
		case depth == 0 && c == ',':
			return i + 1, data[:i+1], nil
		case c == ']':
			return i + 1, data[:i], bufio.ErrFinalToken
		case c == '}':
			return 0, nil, errDamaged
		}
	}
	if atEOF {
		err = errDamaged
	}
	return 0, nil, err
}

// findEntries reads JSON up to the first element of log.entries.
func findEntries(dec *json.Decoder) error {
	isFound := false
	for depth := 0; ; {
		t, err := dec.Token()
		_, isDamaged := errors.AsType[*json.SyntaxError](err)
		switch {
		case isDamaged, err == io.EOF, err == io.ErrUnexpectedEOF:
			return errStructure
		case err != nil || isFound && t == json.Delim('['):
			return err
		case t == json.Delim('{') || t == json.Delim('['):
			depth++
		case t == json.Delim('}') || t == json.Delim(']'):
			depth--
		}
		isFound = depth == 2 && t == "entries"
	}
}

var errStructure = errors.New("the JSON does not have the structure of a HAR file")

// index adds the entry with these data at an offset. If the entry is unusable, index counts it.
func (h *File) index(s *capture.Scan, data []byte, at int64) {
	var e harEntry
	if json.Unmarshal(data, &e) != nil {
		s.SkipLost(h.where(at), "an entry with invalid JSON, or a value of the wrong type")
		return
	}
	t, _ := time.Parse(time.RFC3339, e.StartedDateTime)
	place := capture.Entry{URL: urlkey.Hash(urlkey.Alike(e.Request.URL)), Time: t.UnixMicro(), At: at,
		Skip: int64(len(data))}
	if e.Request.Method != "" && !strings.EqualFold(e.Request.Method, "GET") {
		request := place
		request.Flags = capture.Request
		s.Add(request)
	}
	if reason := e.unusable(); reason != "" {
		place.Flags = capture.Useless
		s.Skip(h.where(at), reason)
	}
	s.Add(place)
}

// where describes a position in the file, for messages.
func (h *File) where(offset int64) string { return fmt.Sprintf("%s, offset %d", h.path, offset) }

func (e *harEntry) header() *body.Header {
	h := &body.Header{Status: e.Response.Status, Fields: http.Header{}}
	if e.Response.RedirectURL != "" {
		h.Fields.Add("Location", e.Response.RedirectURL)
	}
	for _, f := range e.Response.Headers {
		h.Fields.Add(f.Name, f.Value)
	}
	return h
}

// unusable returns the reason why the entry is not the resource of its URL; empty if it may be the resource.
func (e *harEntry) unusable() string {
	h, content := e.header(), &e.Response.Content
	hasText := content.Text != nil && *content.Text != ""
	isEmpty := content.Text != nil && content.Size == 0
	switch {
	case e.Request.URL == "":
		return "an entry without a URL"
	case h.Redirect() != "":
		return ""
	case h.Status == 304 && hasText:
		return "" // the browser took the file from its cache, and stored the file in the log
	case h.Unusable() != "":
		return h.Unusable()
	case !hasText && !isEmpty && content.File == "":
		return "an entry without a body"
	}
	return ""
}

// doubt returns the reason why the body of an entry, of a size, may differ from the data that the server sent; empty if
// there is none.
func (e *harEntry) doubt(size int64) string {
	content := &e.Response.Content
	switch {
	case e.Response.Error != "":
		return "the HAR file has an error for the response, so the body may be cut off"
	case content.Encoding != "" && content.Encoding != "base64":
		return fmt.Sprintf("the HAR file has the body in the unknown encoding %.40q", content.Encoding)
	case size == 0:
		return "the body is empty; the browser may not have logged it"
	case content.Size != float64(size):
		return "the size of the body is not the one in the HAR file"
	case content.File == "" && (content.Encoding == "" || content.isText):
		return "the HAR file has decoded text, which may not have been sent as UTF-8"
	}
	return body.StatusDoubt(e.Response.Status)
}

// open opens the body of an entry, without its codings, and returns the size of the body.
func (h *File) open(e *harEntry) (io.ReadCloser, int64, error) {
	content := &e.Response.Content
	if name := filepath.FromSlash(content.File); name != "" { // a file next to the HAR file
		if !filepath.IsLocal(name) {
			return nil, 0, errors.New("the file with the body is in another folder")
		}
		f, err := localfile.Open(filepath.Join(filepath.Dir(h.path), name))
		if err != nil {
			return nil, 0, err
		}
		return f, localfile.OpenSize(f), nil
	}
	if content.Text == nil {
		return nil, 0, errors.New("the file has changed")
	}
	data := []byte(*content.Text)
	if content.Encoding == "base64" {
		decoded, err := io.ReadAll(fromBase64(strings.NewReader(*content.Text)))
		if content.isText = err != nil; !content.isText {
			data = decoded
		}
	}
	return io.NopCloser(bytes.NewReader(data)), int64(len(data)), nil
}

// fromBase64 decodes base64, and ignores white space in it (RFC 2045, 6.8).
func fromBase64(r io.Reader) io.Reader {
	return base64.NewDecoder(base64.StdEncoding, withoutBlanks{r})
}

// withoutBlanks drops blanks and tabs. The decoder ignores line ends itself.
type withoutBlanks struct{ io.Reader }

func (r withoutBlanks) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	kept := slices.DeleteFunc(p[:n], func(c byte) bool { return c == ' ' || c == '\t' })
	return len(kept), err
}

// entry reads an entry again.
func (h *File) entry(p *capture.Entry) (*harEntry, error) {
	file, err := localfile.Open(h.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data := make([]byte, p.Skip)
	if _, err := file.ReadAt(data, p.At); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", h.where(p.At), err)
	}
	e := new(harEntry)
	if json.Unmarshal(data, e) != nil {
		return nil, fmt.Errorf("%s: the file has changed", h.where(p.At))
	}
	return e, nil
}

// Read returns the candidate of an entry.
func (h *File) Read(x *capture.Index, p *capture.Entry) (*capture.Candidate, string, error) {
	if err := x.Meter().Pay(readWork + p.Skip); err != nil {
		return nil, "", err
	}
	e, err := h.entry(p)
	if err != nil {
		return nil, "", err
	}
	header := e.header()
	c := &capture.Candidate{
		URL:       e.Request.URL,
		MediaType: e.Response.Content.MimeType,
		Where:     h.where(p.At),
		Redirect:  header.Redirect(),
		Status:    e.Response.Status,
		Record:    "HAR entry",
	}
	c.Time, _ = time.Parse(time.RFC3339, e.StartedDateTime)
	if c.Doubt = e.unusable(); c.Doubt != "" || c.Redirect != "" {
		return c, c.URL, nil
	}
	r, size, err := h.open(e)
	if err != nil {
		return nil, c.URL, fmt.Errorf("%s: the body: %w", c.Where, err)
	}
	r.Close()
	c.Size, c.Doubt, c.Body = size, e.doubt(size), &body.Body{}
	if !header.IsCoded() { // the browser removes codings, and then the declared length is not that of the body
		c.Body = header.Body(nil)
	}
	place := *p
	c.Body.Open = func() (io.ReadCloser, error) {
		e, err := h.entry(&place)
		if err != nil {
			return nil, err
		}
		r, _, err := h.open(e)
		return r, err
	}
	return c, c.URL, nil
}
