// Package har opens HTTP Archives, the logs of browsers, and MHTML files, the pages that browsers save.
package har

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
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
		Status      number
		Headers     []struct{ Name, Value text }
		RedirectURL string
		Error       json.RawMessage `json:"_error"` // Chromium writes it for an aborted transfer
		Content     struct {
			Size               number // some programs write a fraction
			MimeType, Encoding string
			File               string `json:"_file"` // Playwright stores the body in a file next to the HAR file
			Text               json.RawMessage
		}
	}
}

// number is a number that some programs write as a string.
type number float64

func (n *number) UnmarshalJSON(data []byte) error {
	f, err := strconv.ParseFloat(strings.Trim(string(data), `"`), 64)
	if *n = number(f); err != nil {
		*n = 0
	}
	return nil
}

// text is a string that some programs write as a number.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if json.Unmarshal(data, &s) != nil {
		s = string(data)
	}
	*t = text(s)
	return nil
}

func Is(path string) bool {
	dec := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(localfile.Beginning(path),
		[]byte(localfile.ByteOrderMark))))
	for _, want := range []json.Token{json.Delim('{'), "log", json.Delim('{')} {
		if got, err := dec.Token(); err != nil || got != want {
			return false
		}
	}
	return true
}

// Scan finds the entries.
func (h *File) Scan(s *capture.Scan) error {
	file, err := localfile.Open(h.path)
	if err != nil {
		return err
	}
	defer file.Close()
	s.Start(localfile.OpenSize(file))
	split := &splitter{limit: h.limit, found: func(at int64, data []byte) { h.index(s, at, data) }}
	in := bufio.NewReaderSize(s.Reader(file), 1<<16)
	mark, _ := in.Peek(len(localfile.ByteOrderMark))
	if string(mark) == localfile.ByteOrderMark {
		in.Discard(len(mark))
		split.offset = int64(len(mark))
	}
	err = split.read(in)
	switch {
	case err != nil && err != io.ErrUnexpectedEOF: // also meter.Over
		return err
	case err != nil && s.Kept == 0:
		return errors.New("the JSON is damaged: the file ends early")
	case err != nil:
		s.SkipLost(h.where(s.Bytes), "damaged JSON, and all later entries")
	case !split.hasEntries:
		return errors.New("the JSON does not have the structure of a HAR file")
	}
	if s.Kept == 0 {
		return fmt.Errorf("no usable entry%s", capture.FirstSkip(s.Total()))
	}
	return nil
}

// index adds an entry. If the entry is unusable, index counts it.
func (h *File) index(s *capture.Scan, at int64, data []byte) {
	if data == nil {
		s.SkipCapped(h.where(at), fmt.Sprintf("an entry larger than %d bytes", h.limit))
		return
	}
	e, err := parse(data)
	if err != nil {
		s.SkipLost(h.where(at), inWords(err))
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

func parse(data []byte) (*harEntry, error) {
	e := new(harEntry)
	err := json.Unmarshal(data, e)
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		e = new(harEntry)
		err = json.Unmarshal(replaceNumbers(data), e)
	}
	return e, err
}

// inWords describes the error of an entry.
func inWords(err error) string {
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return "an entry with a value of the wrong type"
	}
	return "an entry with damaged JSON"
}

const reasonNoBody = "an entry without a body"

// where describes a position in the file, for messages.
func (h *File) where(offset int64) string { return fmt.Sprintf("%s, offset %d", h.path, offset) }

func (e *harEntry) header() *body.Header {
	h := &body.Header{Status: int(e.Response.Status)}
	if e.Response.RedirectURL != "" {
		h.Fields = append(h.Fields, body.Field{Name: "Location", Value: e.Response.RedirectURL})
	}
	for _, f := range e.Response.Headers {
		h.Fields = append(h.Fields, body.Field{Name: string(f.Name), Value: string(f.Value)})
	}
	return h
}

// unusable returns the reason why the entry is not the resource of its URL; empty if it may be the resource.
func (e *harEntry) unusable() string {
	h := e.header()
	text := e.Response.Content.Text
	switch {
	case e.Request.URL == "":
		return "an entry without a URL"
	case h.Redirect() != "":
		return ""
	case h.Status == 304 && len(text) > len(`""`):
		return "" // the browser took the file from its cache, and stored the file in the log
	case h.Unusable() != "":
		return h.Unusable()
	case e.Response.Content.File != "":
		return ""
	case len(text) == 0, string(text) == "null", string(text) == `""` && e.Response.Content.Size != 0:
		return reasonNoBody
	}
	return ""
}

// body returns a reader of the decoded body of an entry.
func (h *File) body(e *harEntry) (io.ReadCloser, error) {
	if name := filepath.FromSlash(e.Response.Content.File); name != "" { // a file next to the HAR file
		if !filepath.IsLocal(name) {
			return nil, errors.New("the file with the body is in another folder")
		}
		return localfile.Open(filepath.Join(filepath.Dir(h.path), name))
	}
	var text string
	if json.Unmarshal(e.Response.Content.Text, &text) != nil {
		return nil, errors.New("the text is not a JSON string")
	}
	r := io.Reader(strings.NewReader(text))
	if e.isBase64() {
		r = body.FromBase64(r)
	}
	return io.NopCloser(r), nil
}

// entry reads an entry again.
func (h *File) entry(at, size int64) (*harEntry, error) {
	file, err := localfile.Open(h.path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	data := make([]byte, size)
	if _, err := file.ReadAt(data, at); err != nil {
		return nil, fmt.Errorf("%s: the file has changed: %w", h.where(at), err)
	}
	e, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: the file has changed: %s", h.where(at), inWords(err))
	}
	return e, nil
}

// Read returns the candidate of an entry.
func (h *File) Read(x *capture.Index, p *capture.Entry) (*capture.Candidate, string, error) {
	if err := x.Meter().Pay(readWork + p.Skip); err != nil {
		return nil, "", err
	}
	e, err := h.entry(p.At, p.Skip)
	if err != nil {
		return nil, "", err
	}
	c := &capture.Candidate{
		URL:       e.Request.URL,
		MediaType: e.Response.Content.MimeType,
		Where:     h.where(p.At),
		Redirect:  e.header().Redirect(),
		Status:    int(e.Response.Status),
		Record:    "HAR entry",
	}
	c.Time, _ = time.Parse(time.RFC3339, e.StartedDateTime)
	if p.Flags&capture.Request != 0 {
		c.Doubt = capture.MethodDoubt(e.Request.Method)
		return c, c.URL, nil
	}
	if c.Doubt = e.unusable(); c.Doubt != "" || c.Redirect != "" {
		return c, c.URL, nil
	}
	seen, err := h.look(e)
	_, flaw := errors.AsType[*body.Flaw](err)
	if flaw && seen.size == 0 && e.isBase64() { // some programs declare base64 for plain text
		e.Response.Content.Encoding = invalidBase64
		seen, err = h.look(e)
	}
	if _, flaw = errors.AsType[*body.Flaw](err); err != nil && (!flaw || seen.size == 0) {
		return nil, c.URL, fmt.Errorf("%s: the body: %w", c.Where, err)
	}
	c.Size = seen.size
	c.Doubt = e.doubt(seen)
	c.Body = &body.Body{Open: h.open(p.At, p.Skip, e.Response.Content.Encoding)}
	return c, c.URL, nil
}

// invalidBase64 is the encoding of text that should be base64, and is not.
const invalidBase64 = "invalid base64"

// look reads the body of an entry.
func (h *File) look(e *harEntry) (look, error) {
	r, err := h.body(e)
	if err != nil {
		return look{}, err
	}
	defer r.Close()
	if f, ok := r.(*os.File); ok {
		return look{size: localfile.OpenSize(f)}, nil
	}
	text, err := io.ReadAll(r)
	return lookAt(text), err
}

// open returns an opener of the body of the entry at a place. encoding is that of the entry, as far as it is right.
func (h *File) open(at, size int64, encoding string) body.Opener {
	return func() (io.ReadCloser, error) {
		e, err := h.entry(at, size)
		if err != nil {
			return nil, err
		}
		e.Response.Content.Encoding = encoding
		return h.body(e)
	}
}
