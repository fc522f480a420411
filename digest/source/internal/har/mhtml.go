package har

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/quotedprintable"
	"regexp"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
	"github.com/webcap-tools/webcap/digest/source/internal/urlkey"
)

// MHTML is a page with its files in one message (RFC 2557). mime/multipart is not used because it does not return
// positions, and stops at the first damaged header.
type MHTML struct {
	path  string
	limit int       // maximum size of the file
	date  time.Time // of the message
	base  string    // base of the locations of the parts; may be empty
	parts []mhtmlPart
}

// NewMHTML returns the MHTML file at a path.
func NewMHTML(path string) *MHTML { return &MHTML{path: path, limit: maxMHTML} }

// String returns the path.
func (m *MHTML) String() string { return m.path }

// mhtmlPart is the body of one part of the message.
type mhtmlPart struct {
	start, end int64
	url        string // Content-Location
	mediaType  string
	coding     string // Content-Transfer-Encoding, in lower case
}

// readHeader reads the header at the beginning of data, and returns the boundary of its parts; empty if it has none. The
// header is nil if it does not end.
func readHeader(data []byte) (h *body.Header, boundary string) {
	h, err := body.ReadHeader(bufio.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, ""
	}
	kind, params, _ := mime.ParseMediaType(h.Get("Content-Type"))
	if strings.HasPrefix(kind, "multipart/") {
		boundary = params["boundary"]
	}
	return h, boundary
}

// Scan finds the parts.
func (m *MHTML) Scan(s *capture.Scan) error {
	file, err := localfile.Open(m.path)
	if err != nil {
		return err
	}
	defer file.Close()
	s.Start(localfile.OpenSize(file))
	data, err := io.ReadAll(io.LimitReader(s.Reader(file), int64(m.limit)+1))
	if err != nil {
		return err
	}
	if len(data) > m.limit {
		data = data[:m.limit]
		s.SkipCapped(m.where(len(data)), fmt.Sprintf("an MHTML file larger than %d bytes", m.limit))
	}
	h, boundary := readHeader(data)
	if boundary == "" {
		return errors.New("the file does not begin with the header of a message with parts")
	}
	m.date, m.base = h.Date(), h.Get("Content-Location")
	m.split(s, data, int(h.Size), "--"+boundary)
	return nil
}

// where describes a position in the file, for messages.
func (m *MHTML) where(offset int) string { return fmt.Sprintf("%s, offset %d", m.path, offset) }

// split adds the parts of a message, from the end of its header. delimiter begins the line before each part, and the
// last line.
func (m *MHTML) split(s *capture.Scan, data []byte, at int, delimiter string) {
	part := -1 // start of the current part; negative before the first one
	for at < len(data) {
		line, _, _ := bytes.Cut(data[at:], []byte("\n"))
		rest, isDelimiter := bytes.CutPrefix(line, []byte(delimiter))
		rest = bytes.TrimRight(rest, " \t\r")
		next := min(at+len(line)+1, len(data))
		if isDelimiter && (len(rest) == 0 || string(rest) == "--") {
			if part >= 0 {
				m.add(s, data[part:at], part)
			}
			if len(rest) > 0 {
				return
			}
			part = next
		}
		at = next
	}
	if part >= 0 {
		s.SkipLost(m.where(len(data)), "a part without a closing boundary")
		m.add(s, data[part:], part)
	}
}

// partMemory is the memory of a part, in addition to its header.
const partMemory = 256

// add adds the part with these data, at an offset. If the part is unusable, add counts it.
func (m *MHTML) add(s *capture.Scan, data []byte, at int) {
	h, boundary := readHeader(data)
	switch {
	case h == nil:
		s.SkipLost(m.where(at), "a part whose header does not end")
		return
	case boundary != "":
		s.SkipLost(m.where(at), "a multipart in a multipart")
		return
	case h.Get("Content-Location") == "":
		s.Skip(m.where(at), "a part without Content-Location")
		return
	}
	s.Meter.Keep(partMemory + h.Size)
	// the line end before the delimiter belongs to it (RFC 2046, 5.1.1)
	text := bytes.TrimSuffix(bytes.TrimSuffix(data[h.Size:], []byte("\n")), []byte("\r"))
	p := mhtmlPart{
		start:     int64(at) + h.Size,
		end:       int64(at) + h.Size + int64(len(text)),
		url:       urlkey.Resolve(m.base, h.Get("Content-Location")),
		mediaType: h.Get("Content-Type"),
		coding:    strings.ToLower(h.Get("Content-Transfer-Encoding")),
	}
	s.Add(capture.Entry{URL: urlkey.Hash(urlkey.Alike(p.url)), Time: m.date.UnixMicro(), At: int64(len(m.parts))})
	m.parts = append(m.parts, p)
}

// hasLinks matches the media types in which browsers change links.
var hasLinks = regexp.MustCompile(`^(?i:text/(html|css)|application/xhtml\+xml)\b`)

// Read returns the candidate of an entry.
func (m *MHTML) Read(x *capture.Index, e *capture.Entry) (*capture.Candidate, string, error) {
	if err := x.Meter().Pay(readWork); err != nil {
		return nil, "", err
	}
	p := m.parts[e.At]
	c := &capture.Candidate{
		URL:       p.url,
		MediaType: p.mediaType,
		Time:      m.date,
		Where:     m.where(int(p.start)),
		Size:      -1,
		Record:    "MHTML part",
		Body:      &body.Body{Open: func() (io.ReadCloser, error) { return m.open(p) }},
	}
	if p.coding != "base64" && p.coding != "quoted-printable" {
		c.Size = p.end - p.start
	}
	switch {
	case hasLinks.MatchString(p.mediaType):
		c.Doubt = "browsers rewrite pages when they save them"
	case p.coding != "base64" && p.coding != "binary":
		c.Doubt = "MHTML does not keep the line ends of text"
	}
	return c, p.url, nil
}

// partReader reads a part without its transfer coding.
type partReader struct {
	io.Reader
	io.Closer
	coding string
}

func (r *partReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF && localfile.PathError(err) == nil {
		err = fmt.Errorf("the part is not valid %s", r.coding)
	}
	return n, err
}

// open opens the body of a part. The transfer coding is removed, because the original file did not have it.
func (m *MHTML) open(p mhtmlPart) (io.ReadCloser, error) {
	file, err := localfile.Open(m.path)
	if err != nil {
		return nil, err
	}
	data := io.Reader(io.NewSectionReader(file, p.start, p.end-p.start))
	switch p.coding {
	case "base64":
		data = fromBase64(data)
	case "quoted-printable":
		data = quotedprintable.NewReader(bufio.NewReaderSize(data, maxLine))
	case "", "7bit", "8bit", "binary":
	default:
		file.Close()
		return nil, fmt.Errorf("the transfer coding %.40q is unknown", p.coding)
	}
	return &partReader{data, file, p.coding}, nil
}
