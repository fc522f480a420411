// Package har opens HTTP Archives, the logs of browsers.
package har

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// anyURL accepts any URL.
func anyURL(string) bool { return true }

func (h *har) List(yield func(*capture.Candidate, error) bool) {
	list := slices.Clone(h.entries)
	slices.SortFunc(list, func(a, b harPlace) int { return cmp.Compare(a.Start, b.Start) })
	for _, p := range list {
		c, err := h.candidate(p.Span, anyURL)
		if err == nil && (c.Body == nil && c.Redirect == "" || c.Doubt == replyToPOST) {
			continue
		}
		if !yield(c, err) {
			return
		}
	}
}

// har is an HTTP Archive 1.2: the log of the requests of a browser, in JSON. Codings of bodies are removed. Text is in
// UTF-8, which may differ from the original encoding. The file is read once, entry by entry, to find the positions of
// the entries.
type har struct {
	path    string
	file    *os.File
	limit   int64 // see maxHAREntry
	seed    maphash.Seed
	entries []harPlace // sorted by hash; entries with equal hashes are in the order of the file
	stats   capture.Stats
}

// harPlace is the position of an entry, and the hash of the common form of alike URLs.
type harPlace struct {
	hash uint64
	localfile.Span
}

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
			File               string          `json:"_file"` // Playwright stores the body in a file next to the HAR file
			Text               json.RawMessage // offset in the file for a long string
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

func Open(path string) (capture.Source, error) { return readHAR(path, maxHAREntry) }

func readHAR(path string, limit int64) (capture.Source, error) {
	if err := localfile.Regular(path); err != nil {
		return nil, err
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	h := &har{path: path, file: file, limit: limit, seed: maphash.MakeSeed()}
	if err := h.index(file); err != nil {
		file.Close()
		return nil, err
	}
	return h, nil
}

var (
	errNotHAR   = errors.New("the JSON does not have the structure of a HAR file")
	errTooLarge = errors.New("a value is too large")
)

// index finds the entries in a file. Data after the first JSON error are not read.
func (h *har) index(file io.ReaderAt) error {
	r, err := newHARReader(file, 0, localfile.ToEnd, h.limit)
	if err != nil {
		return err
	}
	t := capture.Tally{Stats: capture.Stats{Files: 1, Bytes: localfile.OpenSize(h.file)}}
	err = r.eachMember("log", func() error {
		return r.eachMember("entries", func() error {
			return r.eachElement(func() error { return h.indexEntry(r, &t) })
		})
	})
	if err != nil {
		reason := damagedJSON(err, h.limit)
		if reason == "" {
			return err
		}
		if t.Kept == 0 {
			return fmt.Errorf("at offset %d: %w", r.offset(), inWords(err))
		}
		t.Lost = true
		t.Note(h.where(r.offset()), reason, 1, errors.Is(err, errTooLarge))
	}
	slices.SortStableFunc(h.entries, func(a, b harPlace) int { return cmp.Compare(a.hash, b.hash) })
	h.stats = t.Total()
	if t.Kept == 0 {
		return fmt.Errorf("no usable entry%s", capture.FirstSkip(h.stats))
	}
	return nil
}

// indexEntry reads the next entry, and adds it to the index. If the entry is unusable, indexEntry counts it in t
// instead.
func (h *har) indexEntry(r *harReader, t *capture.Tally) error {
	start := r.offset()
	var e harEntry
	err := r.Decode(&e)
	if _, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		t.SkipLost(h.where(start), "an entry with a value of the wrong type")
		return nil
	}
	if err != nil {
		return err
	}
	hash := maphash.String(h.seed, urlkey.Alike(e.Request.URL))
	h.entries = append(h.entries, harPlace{hash, localfile.Span{Start: start, End: r.offset()}})
	if reason := e.unusable(); reason != "" {
		t.Skip(h.where(start), reason)
		return nil
	}
	t.Kept++
	return nil
}

const (
	reasonNoBody = "an entry without a body"
	answerTo     = "a reply to " // the method follows
	replyToPOST  = answerTo + "POST"
)

// damagedJSON returns the reason for skipping the data after a JSON error; empty for an error of the disk.
func damagedJSON(err error, limit int64) string {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, errTooLarge):
		return fmt.Sprintf("an entry larger than %d bytes, and all later entries", limit)
	case errors.As(err, &syntax), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF),
		errors.Is(err, errNotHAR):
		return "damaged JSON, and all later entries"
	}
	return ""
}

// damage is a JSON error in words.
type damage struct {
	error
	text string
}

func (d damage) Error() string { return d.text }
func (d damage) Unwrap() error { return d.error }

// inWords describes a JSON error in words.
func inWords(err error) error {
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &syntax):
		return damage{err, "the JSON is damaged"}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return damage{err, "the file ends early"}
	}
	return err
}

// where describes a position in the file, for messages.
func (h *har) where(offset int64) string { return fmt.Sprintf("%s, offset %d", h.path, offset) }

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
	case e.Request.Method != "" && !strings.EqualFold(e.Request.Method, "GET"):
		return answerTo + printableMethod(e.Request.Method)
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

// printableMethod returns the name of a method in printable form.
func printableMethod(method string) string {
	if len(method) > 20 || strings.Trim(method, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-") != "" {
		return "an unknown method"
	}
	return method
}

// body returns a reader of the decoded body of an entry.
func (h *har) body(e *harEntry, long map[int64]bool) (io.Reader, error) {
	if name := e.Response.Content.File; name != "" {
		return h.attached(name)
	}
	text := e.Response.Content.Text
	var r io.Reader = bytes.NewReader(text)
	if at, err := strconv.ParseInt(string(text), 10, 64); err == nil && long[at] {
		r = io.NewSectionReader(h.file, at, localfile.ToEnd-at)
	} else if text[0] != '"' {
		return nil, errors.New("the text is not a JSON string")
	}
	if _, err := io.ReadFull(r, make([]byte, len(`"`))); err != nil {
		return nil, err
	}
	r = newStringReader(r)
	if e.isBase64() {
		return body.FromBase64(r), nil
	}
	return r, nil
}

// attached opens a file next to the HAR file.
func (h *har) attached(name string) (io.Reader, error) {
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return nil, errors.New("the file with the body is in another folder")
	}
	path := filepath.Join(filepath.Dir(h.path), filepath.FromSlash(name))
	if err := localfile.Regular(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// entry reads one entry again, and returns the offsets of its long strings.
func (h *har) entry(s localfile.Span) (e *harEntry, long map[int64]bool, err error) {
	// Blanks and a comma separate the entry from the previous one. The decoder reports errors.
	var b [1]byte
	for ; s.Start < s.End; s.Start++ {
		if _, err := h.file.ReadAt(b[:], s.Start); err != nil || !strings.ContainsRune(", \t\r\n", rune(b[0])) {
			break
		}
	}
	r, err := newHARReader(h.file, s.Start, s.End, h.limit)
	if err != nil {
		return nil, nil, err
	}
	e = new(harEntry)
	if err := r.Decode(e); err != nil {
		return nil, nil, fmt.Errorf("%s: the file has changed: %w", h.where(s.Start), inWords(err))
	}
	return e, r.long, nil
}

// places returns the positions of the entries with this hash.
func (h *har) places(hash uint64) []harPlace {
	from, _ := slices.BinarySearchFunc(h.entries, hash,
		func(p harPlace, hash uint64) int { return cmp.Compare(p.hash, hash) })
	to := from
	for to < len(h.entries) && h.entries[to].hash == hash {
		to++
	}
	return h.entries[from:to]
}

func (h *har) Lookup(url string) iter.Seq2[*capture.Candidate, error] {
	return h.lookup(url, urlkey.Same(url))
}

func (h *har) LookupAlike(url string) iter.Seq2[*capture.Candidate, error] {
	return h.lookup(url, urlkey.IsAlike(url))
}

// lookup yields the captures of the URLs that are alike url and for which is(URL) is true.
func (h *har) lookup(url string, is func(string) bool) iter.Seq2[*capture.Candidate, error] {
	return func(yield func(*capture.Candidate, error) bool) {
		var list []*capture.Candidate
		for _, p := range h.places(maphash.String(h.seed, urlkey.Alike(url))) {
			if len(list) > capture.MaxKept { // Find reports the limit
				break
			}
			c, err := h.candidate(p.Span, is)
			if c == nil && err == nil {
				continue
			}
			if err != nil {
				if !yield(nil, err) {
					return
				}
				continue
			}
			list = append(list, c)
		}
		slices.SortStableFunc(list, func(a, b *capture.Candidate) int { return a.Time.Compare(b.Time) })
		for _, c := range list {
			if !yield(c, nil) {
				return
			}
		}
	}
}

// candidate returns the candidate of the entry at a position; nil if is(URL) is false.
func (h *har) candidate(s localfile.Span, is func(string) bool) (*capture.Candidate, error) {
	e, long, err := h.entry(s)
	if err != nil || !is(e.Request.URL) {
		return nil, err
	}
	c := &capture.Candidate{
		URL:       e.Request.URL,
		MediaType: e.Response.Content.MimeType,
		Where:     h.where(s.Start),
		Redirect:  e.header().Redirect(),
		Status:    int(e.Response.Status),
		Record:    "HAR entry",
	}
	c.Time, _ = time.Parse(time.RFC3339, e.StartedDateTime)
	if c.Doubt = e.unusable(); c.Doubt != "" {
		isFile := c.Redirect == "" && e.header().Unusable() == ""
		c.Redirect = ""
		if !isFile || c.Doubt != replyToPOST { // the body of such a reply may verify an identifier
			return c, nil
		}
	}
	if c.Redirect != "" {
		return c, nil
	}
	seen, err := h.look(e, long)
	_, flaw := errors.AsType[*body.Flaw](err)
	if flaw && seen.size == 0 && e.isBase64() { // some programs declare base64 for plain text
		e.Response.Content.Encoding = invalidBase64
		seen, err = h.look(e, long)
	}
	if _, flaw = errors.AsType[*body.Flaw](err); err != nil && (!flaw || seen.size == 0) {
		return nil, fmt.Errorf("%s: the body: %w", c.Where, inWords(err))
	}
	c.Size = seen.size
	c.Doubt = cmp.Or(c.Doubt, e.doubt(seen))
	c.Body = h.bodyOf(s, e, seen)
	return c, nil
}

// invalidBase64 is the encoding of text that should be base64, and is not.
const invalidBase64 = "invalid base64"

// look reads the body of an entry.
func (h *har) look(e *harEntry, long map[int64]bool) (*look, error) {
	l := &look{}
	r, err := h.body(e, long)
	if err != nil {
		return l, err
	}
	_, err = io.Copy(l, r)
	if c, ok := r.(io.Closer); ok {
		c.Close()
	}
	return l, err
}

// open returns an opener of the body of the entry at a position. encoding is that of the entry, as far as it is right.
func (h *har) open(s localfile.Span, encoding string) body.Opener {
	return func() (io.ReadCloser, error) {
		e, long, err := h.entry(s)
		if err != nil {
			return nil, err
		}
		e.Response.Content.Encoding = encoding
		r, err := h.body(e, long)
		if c, ok := r.(io.ReadCloser); ok {
			return c, err
		}
		return io.NopCloser(r), err
	}
}

func (h *har) Stats() capture.Stats { return h.stats }
func (h *har) Close() error         { return h.file.Close() }
