package har

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/webcap-tools/webcap/digest/source/internal/body"
	"github.com/webcap-tools/webcap/digest/source/internal/capture"
	"github.com/webcap-tools/webcap/digest/source/internal/localfile"
)

// MHTML is a page with its files in one message (RFC 2557). mime/multipart is not used because it does not return
// positions, and stops at the first damaged header.
type MHTML struct {
	path  string
	date  time.Time // of the message
	parts []*mhtmlPart
}

// NewMHTML returns the MHTML file at a path.
func NewMHTML(path string) *MHTML { return &MHTML{path: path} }

// String returns the path.
func (m *MHTML) String() string { return m.path }

// mhtmlPart is one part of the message, or a message that is not a multipart.
type mhtmlPart struct {
	start, end int64
	url        string // Content-Location
	mediaType  string
	coding     string // Content-Transfer-Encoding, in lower case
	isCut      bool   // no boundary follows
}

// IsMHTML reports whether a file begins with the header of a message with parts, or with a location.
func IsMHTML(path string) bool {
	h, err := body.ReadHeader(bufio.NewReader(bytes.NewReader(localfile.Beginning(path))))
	if err != nil || h.Status != 0 {
		return false
	}
	kind, _ := mediaType(h)
	return strings.HasPrefix(kind, "multipart/") ||
		h.Get("MIME-Version") != "" && h.Get("Content-Type") != "" && h.Get("Content-Location") != ""
}

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
		Where:     fmt.Sprintf("%s, offset %d", m.path, p.start),
		Size:      -1,
		Record:    "MHTML part",
		Body:      &body.Body{Open: func() (io.ReadCloser, error) { return m.open(p) }},
	}
	if p.coding != "base64" && p.coding != "quoted-printable" {
		c.Size = p.end - p.start
	}
	kind, _, _ := strings.Cut(strings.ToLower(p.mediaType), ";")
	switch {
	case p.isCut:
		c.Doubt = "no boundary follows the part, so it may be cut off"
	case kind == "text/html", kind == "application/xhtml+xml", kind == "text/css":
		c.Doubt = "browsers rewrite pages when they save them"
	case p.coding != "base64" && p.coding != "binary":
		c.Doubt = "MHTML does not keep the line ends of text"
	}
	return c, p.url, nil
}

// open opens the body of a part. The transfer coding is removed, because the original file did not have it.
func (m *MHTML) open(p *mhtmlPart) (io.ReadCloser, error) {
	decode := func(r io.Reader) io.Reader { return r }
	switch p.coding {
	case "base64":
		decode = body.FromBase64
	case "quoted-printable":
		decode = body.FromQuotedPrintable
	case "", "7bit", "8bit", "binary":
	default:
		return nil, fmt.Errorf("the transfer coding %.40q is unknown", p.coding)
	}
	file, err := localfile.Open(m.path)
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{decode(io.NewSectionReader(file, p.start, p.end-p.start)), file}, nil
}
