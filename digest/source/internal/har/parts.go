package har

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"mime"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// mediaType returns the media type in a header, in lower case, and its parameters. The media type is empty if the
// header has none.
func mediaType(h *body.Header) (string, map[string]string) {
	kind, params, _ := mime.ParseMediaType(h.Get("Content-Type"))
	return kind, params
}

// container is an open multipart.
type container struct {
	boundary string
	base     string // base of the locations of its parts; may be empty
	start    string // Content-ID of the root; if empty, the root is the first part
	parts    int    // number of parts begun so far
}

// rootIs reports whether the current part is the root of a container (RFC 2387, 3.2). cid is the Content-ID of the
// part; an empty cid matches no container with a start.
func (c *container) rootIs(cid string) bool {
	if c == nil {
		return false
	}
	return c.start == "" && c.parts == 1 || c.start != "" && c.start == cid
}

// mhtmlReader finds the parts of a message, line by line.
type mhtmlReader struct {
	*bufio.Reader
	m      *MHTML
	t      *capture.Scan
	offset int64 // offset of the next data
	within []container
	open   *mhtmlPart // the current part; nil within ignored data
	date   time.Time  // date of the message
	saved  bool       // the message was written by a browser

	// A line end before a boundary belongs to the boundary (RFC 2046, 5.1.1): ending is the length of the previous line
	// end, and last the last octet read of this line.
	ending int64
	last   byte
}

// Scan finds the parts.
func (m *MHTML) Scan(s *capture.Scan) error {
	file, err := localfile.Open(m.path)
	if err != nil {
		return err
	}
	defer file.Close()
	s.Start(localfile.OpenSize(file))
	return m.scan(s, s.Reader(file))
}

// scan finds the parts in the data of the file.
func (m *MHTML) scan(s *capture.Scan, data io.Reader) error {
	r := &mhtmlReader{Reader: bufio.NewReaderSize(data, 1<<16), m: m, t: s}
	err := r.read()
	switch {
	case err != nil && (s.Kept == 0 || err != body.ErrHeader):
		return err
	case s.Kept == 0:
		return fmt.Errorf("no usable part%s", capture.FirstSkip(s.Total()))
	}
	return nil
}

func (r *mhtmlReader) where(offset int64) string {
	return fmt.Sprintf("%s, offset %d", r.m.path, offset)
}

func (r *mhtmlReader) read() error {
	if err := r.header(); err != nil {
		return err
	}
	single := len(r.within) == 0
	for whole := true; ; {
		start := r.offset
		line, err := r.ReadSlice('\n')
		r.offset += int64(len(line))
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return err
		}
		if i, closing := r.boundary(line); !whole || i < 0 {
			r.noteLineEnd(line)
		} else if err := r.atBoundary(i, closing, start, err == nil); err != nil {
			return err
		}
		if err == io.EOF {
			break
		}
		whole = err == nil
	}
	if r.open != nil && !single {
		r.t.Skip(r.where(r.open.start), "a part without a closing boundary")
		r.open.uncertain = true
	}
	r.close(r.offset)
	return nil
}

// noteLineEnd records how a line ends, given the last piece read.
func (r *mhtmlReader) noteLineEnd(line []byte) {
	text, ended := bytes.CutSuffix(line, []byte("\n"))
	if len(text) > 0 {
		r.last = text[len(text)-1]
	}
	if !ended {
		return // the rest of the line follows, or there is no line
	}
	r.ending = 1
	if r.last == '\r' {
		r.ending = 2
	}
	r.last = 0
}

// atBoundary ends the part before a boundary line that begins at start. It begins the next part if the boundary line is
// complete and is not the closing boundary.
func (r *mhtmlReader) atBoundary(multipart int, closing bool, start int64, ends bool) error {
	r.close(start - r.ending)
	r.ending = 0
	if closing {
		r.within = r.within[:multipart]
		return nil
	}
	r.within = r.within[:multipart+1]
	if !ends {
		return nil
	}
	return r.header()
}

// boundary returns the index of the multipart to which a boundary line belongs, and whether it is the closing boundary.
// The index is -1 for any other line.
func (r *mhtmlReader) boundary(line []byte) (int, bool) {
	if !bytes.HasPrefix(line, []byte("--")) {
		return -1, false
	}
	text := string(bytes.TrimRight(line[2:], " \t\r\n"))
	for i := len(r.within) - 1; i >= 0; i-- {
		if b := r.within[i].boundary; text == b || text == b+"--" {
			return i, text != b
		}
	}
	return -1, false
}

// close ends the current part.
func (r *mhtmlReader) close(end int64) {
	p := r.open
	if p == nil {
		return
	}
	p.end = end
	r.open = nil
	e := capture.Entry{URL: urlkey.Hash(urlkey.Alike(p.url)), Time: p.time.UnixMicro(), At: int64(len(r.m.parts))}
	r.m.parts = append(r.m.parts, p)
	r.t.Add(e)
	if p.cid != "" {
		e.URL, e.Flags = urlkey.Hash(urlkey.Alike(p.cid)), capture.Alias
		r.t.Add(e)
	}
}

// header reads the header of the message, or of a part, and opens the part.
func (r *mhtmlReader) header() error {
	at := r.offset
	h, err := body.ReadHeader(r.Reader)
	if err == body.ErrHeader {
		r.t.SkipLost(r.where(at), "a part whose header does not end")
	}
	if err != nil {
		return err
	}
	r.offset += h.Size
	if at == 0 {
		r.date = h.Date()
		r.saved = h.Get("Snapshot-Content-Location") != "" || browser.MatchString(h.Get("From"))
	}
	var outer *container
	base := ""
	if len(r.within) > 0 {
		outer = &r.within[len(r.within)-1]
		outer.parts++
		base = outer.base
	}
	if b := location(h, "Content-Base"); b != "" {
		base = urlkey.Resolve(base, b)
	}
	url := location(h, "Content-Location", "Snapshot-Content-Location")
	if url != "" {
		url = urlkey.Resolve(base, url)
	}
	kind, params := mediaType(h)
	if strings.HasPrefix(kind, "multipart/") && params["boundary"] != "" {
		r.enter(at, container{params["boundary"], cmp.Or(url, base), withoutAngles(params["start"]), 0})
		return nil
	}
	cid := withoutAngles(h.Get("Content-ID"))
	if url == "" && outer.rootIs(cid) {
		url = base
	}
	return r.begin(at, h, kind, url, cid)
}

// withoutAngles returns a Content-ID without the surrounding angle brackets.
func withoutAngles(id string) string { return strings.Trim(id, "<> ") }

// enter begins a multipart. at is the offset of its header.
func (r *mhtmlReader) enter(at int64, c container) {
	if len(r.within) == maxNested {
		r.t.SkipCapped(r.where(at), fmt.Sprintf("multiparts nested more than %d deep", maxNested))
		return
	}
	r.within = append(r.within, c)
}

// partMemory is the memory of a part, in addition to its header.
const partMemory = 256

// begin begins a part. at is the offset of its header. A part without a name is ignored. The error is meter.Over.
func (r *mhtmlReader) begin(at int64, h *body.Header, kind, url, cid string) error {
	if err := r.t.Meter.Keep(partMemory + h.Size); err != nil {
		return err
	}
	p := &mhtmlPart{
		start:     r.offset,
		url:       url,
		mediaType: h.Get("Content-Type"),
		coding:    transferCoding(h.Get("Content-Transfer-Encoding")),
		time:      r.date,
	}
	if date := h.Date(); !date.IsZero() {
		p.time = date
	}
	switch kind {
	case "text/html", "application/xhtml+xml", "text/css":
		p.uncertain = r.saved
	}
	if cid != "" {
		p.cid = "cid:" + cid
	}
	if url == "" || url == p.cid {
		p.url, p.cid = p.cid, ""
	}
	if p.url == "" {
		r.t.Skip(r.where(at), "a part without Content-Location and Content-ID")
		return nil
	}
	r.open = p
	return nil
}

// location returns the URL in the first of the named fields that the header has. It removes the blanks at line breaks
// (RFC 2557, 4.4.2), decodes encoded words, and escapes other blanks.
func location(h *body.Header, names ...string) string {
	for _, name := range names {
		for _, f := range h.Fields {
			if v := cmp.Or(f.Unbroken, f.Value); v != "" && strings.EqualFold(f.Name, name) {
				if plain, err := new(mime.WordDecoder).DecodeHeader(v); err == nil {
					v = plain
				}
				return withoutBlanks(v)
			}
		}
	}
	return ""
}

// withoutBlanks escapes the blanks of a URL.
func withoutBlanks(url string) string { return strings.ReplaceAll(strings.TrimSpace(url), " ", "%20") }
