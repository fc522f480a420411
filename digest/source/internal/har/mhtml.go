package har

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"regexp"
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
	parts []*mhtmlPart
}

// NewMHTML returns the MHTML file at a path.
func NewMHTML(path string) *MHTML { return &MHTML{path: path} }

// String returns the path.
func (m *MHTML) String() string { return m.path }

// mhtmlPart is one part of the message, or a message that is not a multipart.
type mhtmlPart struct {
	start, end int64
	url        string // Content-Location, or Content-ID as a URL
	cid        string // Content-ID as a URL; empty if it is url, or there is none
	mediaType  string
	coding     string // Content-Transfer-Encoding, in lower case
	time       time.Time
	uncertain  bool
}

// browser matches the From field of messages saved by browsers. Browsers rewrite HTML when they save it.
var browser = regexp.MustCompile(`(?i)saved by (blink|webkit|mozilla|opera|(windows|microsoft) internet explorer)`)

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
	key := p.url
	if e.Flags&capture.Alias != 0 {
		key = p.cid
	}
	return m.candidate(p), key, nil
}

func (m *MHTML) candidate(p *mhtmlPart) *capture.Candidate {
	c := &capture.Candidate{
		URL:       p.url,
		MediaType: p.mediaType,
		Time:      p.time,
		Where:     fmt.Sprintf("%s, offset %d", m.path, p.start),
		Size:      -1,
		Record:    "MHTML part",
		Body:      m.body(p),
	}
	switch p.coding {
	case "base64", "binary":
	default: // the original file may have had other line ends, or blanks before line ends
		c.Doubt = "MHTML does not keep the line ends of text"
	}
	if p.uncertain {
		c.Doubt = "browsers rewrite pages when they save them"
	}
	if p.coding != "base64" && p.coding != "quoted-printable" {
		c.Size = p.end - p.start
	}
	return c
}

// body returns the body of a part. The transfer coding is removed, because the original file did not have it. Lines of
// text in a message end in CRLF, even if they end in LF in the original file (RFC 2045, 2.7, 2.8, and 6.7).
func (m *MHTML) body(p *mhtmlPart) *body.Body {
	b := &body.Body{}
	decode := func(r io.Reader) io.Reader { return r }
	switch p.coding {
	case "base64":
		decode = body.FromBase64
	case "quoted-printable":
		decode = body.FromQuotedPrintable
	case "", "7bit", "8bit", "binary":
	default:
		b.Open = func() (io.ReadCloser, error) {
			return nil, fmt.Errorf("the transfer coding %.40q is unknown", p.coding)
		}
		return b
	}
	if p.coding != "base64" && p.coding != "binary" {
		b.Restore = func(r io.Reader) io.Reader { return &withoutCR{r: bufio.NewReader(r)} }
	}
	b.Open = func() (io.ReadCloser, error) {
		file, err := localfile.Open(m.path)
		if err != nil {
			return nil, err
		}
		return partReader{decode(io.NewSectionReader(file, p.start, p.end-p.start)), file}, nil
	}
	return b
}

// partReader reads the body of a part.
type partReader struct {
	io.Reader
	io.Closer
}

// transferCoding returns the name of a coding in a field, without the comment that may follow (RFC 5322, 3.2.2).
func transferCoding(field string) string {
	name, _, _ := strings.Cut(strings.ToLower(field), "(")
	return strings.TrimSpace(name)
}

// withoutCR reads r and replaces each CRLF by LF.
type withoutCR struct{ r *bufio.Reader }

func (w *withoutCR) Read(p []byte) (int, error) {
	n := 0
	for n < len(p) {
		c, err := w.r.ReadByte()
		if err != nil {
			return n, err
		}
		if c == '\r' {
			if next, err := w.r.Peek(1); err == nil && next[0] == '\n' {
				continue
			}
		}
		p[n] = c
		n++
	}
	return n, nil
}
