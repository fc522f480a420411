package har

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"io"
	"mime"
	"strings"

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

// mhtmlReader finds the parts of a message, line by line.
type mhtmlReader struct {
	*bufio.Reader
	m      *MHTML
	t      *capture.Scan
	offset int64      // offset of the next data
	part   *mhtmlPart // the current part; nil within ignored data

	boundary string // of the parts; empty if the message is not a multipart
	base     string // base of the locations of the parts; may be empty

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
	for whole := true; ; {
		start := r.offset
		line, err := r.ReadSlice('\n')
		r.offset += int64(len(line))
		if err != nil && err != io.EOF && err != bufio.ErrBufferFull {
			return err
		}
		isBoundary, closing := r.isBoundary(line)
		if !whole || !isBoundary {
			r.noteLineEnd(line)
		} else {
			r.endPart(start - r.ending)
			r.ending = 0
			if closing {
				return nil
			}
			if err == nil {
				if err := r.header(); err != nil {
					return err
				}
			}
		}
		if err == io.EOF {
			break
		}
		whole = err == nil
	}
	if r.part != nil && r.boundary != "" {
		r.t.Skip(r.where(r.part.start), "a part without a closing boundary")
		r.part.isCut = true
	}
	r.endPart(r.offset)
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

// isBoundary reports whether a line is a boundary, and whether it is the closing one.
func (r *mhtmlReader) isBoundary(line []byte) (is, closing bool) {
	rest, is := bytes.CutPrefix(line, []byte("--"+r.boundary))
	end := string(bytes.TrimRight(rest, " \t\r\n"))
	return is && r.boundary != "" && (end == "" || end == "--"), end == "--"
}

// endPart ends the current part.
func (r *mhtmlReader) endPart(end int64) {
	p := r.part
	if p == nil {
		return
	}
	p.end = end
	r.part = nil
	r.t.Add(capture.Entry{URL: urlkey.Hash(urlkey.Alike(p.url)), Time: r.m.date.UnixMicro(), At: int64(len(r.m.parts))})
	r.m.parts = append(r.m.parts, p)
}

// partMemory is the memory of a part, in addition to its header.
const partMemory = 256

// header reads the header of the message, or of a part, and begins the part. A part without a location is counted as
// skipped.
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
		r.m.date = h.Date()
		r.base = location(h, "Snapshot-Content-Location")
	}
	url := location(h, "Content-Location")
	if url != "" {
		url = urlkey.Resolve(r.base, url)
	}
	switch kind, params := mediaType(h); {
	case at == 0 && strings.HasPrefix(kind, "multipart/") && params["boundary"] != "":
		r.boundary, r.base = params["boundary"], cmp.Or(url, r.base)
		return nil
	case strings.HasPrefix(kind, "multipart/"):
		r.t.SkipLost(r.where(at), "a multipart in a multipart")
		return nil
	case url == "":
		r.t.Skip(r.where(at), "a part without Content-Location")
		return nil
	}
	coding, _, _ := strings.Cut(strings.ToLower(h.Get("Content-Transfer-Encoding")), "(") // a comment (RFC 5322, 3.2.2)
	r.part = &mhtmlPart{start: r.offset, url: url, mediaType: h.Get("Content-Type"), coding: strings.TrimSpace(coding)}
	return r.t.Meter.Keep(partMemory + h.Size)
}

// location returns the URL in a field of a header. It removes the blanks at line breaks (RFC 2557, 4.4.2), decodes
// encoded words, and escapes other blanks.
func location(h *body.Header, name string) string {
	for _, f := range h.Fields {
		if v := cmp.Or(f.Unbroken, f.Value); v != "" && strings.EqualFold(f.Name, name) {
			if plain, err := new(mime.WordDecoder).DecodeHeader(v); err == nil {
				v = plain
			}
			return strings.ReplaceAll(strings.TrimSpace(v), " ", "%20")
		}
	}
	return ""
}
